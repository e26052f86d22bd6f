import type { FixturesFile } from '../contract/fixtures-types.ts'
import { leftOutLines } from '../contract/left-out.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { withId } from './known.ts'
import { printJson, say } from './output.ts'
import { kindOf } from './program/kinds.ts'
import type { ControlOptions } from './read-options.ts'

/** Prints a snapshot or the current state as a fixtures file. */
export async function exportSnapshot(
  name: string | undefined,
  options: ControlOptions & { log?: boolean },
): Promise<void> {
  if (name !== undefined && options.log === true) {
    throw new CommandError('Snapshots have no log: use --log without a name.', { exitCode: 2 })
  }
  const { call } = await connect(options)
  if (name === undefined) {
    const query = options.log === true ? { query: { log: '1' } as const } : {}
    return printExport(await call('GET export', query))
  }
  const fixtures = await withId(name, kindOf('snapshot', call), (found) =>
    call('GET snapshots/:name', { params: { name: found } }),
  )
  printExport(fixtures)
}

function printExport(file: FixturesFile): void {
  for (const line of leftOutLines(file)) say(line)
  printJson(file)
}
