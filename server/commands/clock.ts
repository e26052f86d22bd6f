import type { MoveClockRequest } from '../contract/control-clock.ts'
import { connect } from './connect.ts'
import { printAnswer } from './output.ts'
import type { ControlOptions } from './read-options.ts'

/** Prints the clock, after moving it if `move` is given. */
export async function clock(options: ControlOptions, move?: MoveClockRequest): Promise<void> {
  const { call } = await connect(options)
  const reading = await (move === undefined
    ? call('GET clock')
    : call('POST clock', { body: move }))
  printAnswer(options, reading, `${reading.now}${reading.frozen ? ' (frozen)' : ''}`)
}
