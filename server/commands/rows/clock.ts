import type { ClockReading } from '../../contract/control-clock.ts'
import { call } from '../program/call.ts'
import { group } from '../program/row.ts'

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
    body: {},
    show,
    examples: {
      'Expire access tokens of 8 h and send due retries': 'hub-sandbox clock advance 8h',
    },
  }),
  call('POST clock', {
    name: 'set <time>',
    does: 'Set the clock to a time',
    arguments: { time: { help: 'Time in ISO 8601', to: 'set' } },
    body: {},
    show,
    examples: {
      'Start 10 seconds before a new year': 'hub-sandbox clock set 2030-12-31T23:59:50Z',
    },
  }),
  call('POST clock', {
    name: 'freeze',
    does: 'Stop the clock',
    body: { frozen: true },
    show,
    examples: { 'Keep tokens and codes from expiring': 'hub-sandbox clock freeze' },
  }),
  call('POST clock', {
    name: 'resume',
    does: 'Restart a stopped clock',
    body: { frozen: false },
    show,
    examples: { 'Continue from the frozen time': 'hub-sandbox clock resume' },
  }),
  call('POST clock', {
    name: 'real',
    does: 'Return to real time',
    body: { real: true },
    show,
    examples: { 'Undo every change of the clock': 'hub-sandbox clock real' },
  }),
  call('POST clock', {
    name: 'until-idle',
    does: 'Advance from retry to retry until none is pending',
    body: { untilIdle: true },
    show,
    examples: { 'Send all pending retries now': 'hub-sandbox clock until-idle' },
  }),
])
