import type { ClockReading, MoveClockRequest } from '../../contract/control-clock.ts'
import { call } from '../program/call.ts'
import { group, type Row } from '../program/row.ts'

const show = ({ now, frozen }: ClockReading) => `${now}${frozen ? ' (frozen)' : ''}`

export const clock = group('clock', 'Read or change the clock of the sandbox', [
  call('GET clock', {
    name: 'read',
    does: 'Print the time of the sandbox (default)',
    isDefault: true,
    show,
    examples: {
      'Print the time of the sandbox': 'hub-sandbox clock',
      'Print it as JSON, with its offset from real time': 'hub-sandbox clock --json',
    },
  }),
  call('POST clock', {
    name: 'advance <duration>',
    does: 'Move the clock forward',
    arguments: { duration: { help: 'Duration such as 8h, 90s or 250ms', to: 'advance' } },
    show,
    examples: {
      'Expire access tokens of 8 h and send due retries': 'hub-sandbox clock advance 8h',
    },
  }),
  call('GET clock/preview', {
    name: 'preview <duration>',
    does: 'Print what advancing the clock would expire',
    arguments: { duration: { help: 'Duration such as 8h, 90s or 250ms', to: 'advance' } },
    show: ({ now, effects }) =>
      [now, ...(effects.length === 0 ? ['Nothing expires or becomes due.'] : effects)].join('\n'),
    examples: {
      'Show the tokens and retries of the next 8 hours': 'hub-sandbox clock preview 8h',
    },
  }),
  call('POST clock', {
    name: 'set <time>',
    does: 'Set the clock to a time',
    arguments: { time: { help: 'Time in ISO 8601', to: 'set' } },
    show,
    examples: {
      'Start 10 seconds before a new year': 'hub-sandbox clock set 2030-12-31T23:59:50Z',
    },
  }),
  move('freeze', 'Stop the clock', { frozen: true }, 'Keep tokens and codes from expiring'),
  move('resume', 'Restart a stopped clock', { frozen: false }, 'Continue from the frozen time'),
  move('real', 'Return to real time', { real: true }, 'Undo every change of the clock'),
  move(
    'until-idle',
    'Advance from retry to retry until none is pending',
    { untilIdle: true },
    'Send all pending retries now',
  ),
])

function move(name: string, does: string, body: MoveClockRequest, example: string): Row {
  const examples = { [example]: `hub-sandbox clock ${name}` }
  return call('POST clock', { name, does, body, show, examples })
}
