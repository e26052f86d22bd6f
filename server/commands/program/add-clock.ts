import type { Command } from 'commander'
import type { MoveClockRequest } from '../../contract/control-clock.ts'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addClock(program: Command): void {
  const group = program.command('clock').description('Read or change the clock of the sandbox')
  const act = async (options: ControlOptions, move?: MoveClockRequest) =>
    (await import('../clock.ts')).clock(options, move)

  connected(
    group
      .command('read', { isDefault: true })
      .description('Print the time of the sandbox (default)')
      .action((options: ControlOptions) => act(options)),
    {
      examples: [
        { does: 'Print the time of the sandbox', line: 'hub-sandbox clock' },
        {
          does: 'Print it as JSON, with its offset from real time',
          line: 'hub-sandbox clock --json',
        },
      ],
    },
  )
  connected(
    group
      .command('advance')
      .description('Move the clock forward')
      .argument('<duration>', 'Duration such as 8h, 90s or 250ms')
      .action((advance: string, options: ControlOptions) => act(options, { advance })),
    {
      examples: [
        {
          does: 'Expire access tokens of 8 h and send due retries',
          line: 'hub-sandbox clock advance 8h',
        },
      ],
    },
  )
  connected(
    group
      .command('set')
      .description('Set the clock to a time')
      .argument('<time>', 'Time in ISO 8601')
      .action((set: string, options: ControlOptions) => act(options, { set })),
    {
      examples: [
        {
          does: 'Start 10 seconds before a new year',
          line: 'hub-sandbox clock set 2030-12-31T23:59:50Z',
        },
      ],
    },
  )
  connected(
    group
      .command('freeze')
      .description('Stop the clock')
      .action((options: ControlOptions) => act(options, { frozen: true })),
    {
      examples: [{ does: 'Keep tokens and codes from expiring', line: 'hub-sandbox clock freeze' }],
    },
  )
  connected(
    group
      .command('resume')
      .description('Restart a stopped clock')
      .action((options: ControlOptions) => act(options, { frozen: false })),
    { examples: [{ does: 'Continue from the frozen time', line: 'hub-sandbox clock resume' }] },
  )
  connected(
    group
      .command('real')
      .description('Return to real time')
      .action((options: ControlOptions) => act(options, { real: true })),
    {
      examples: [{ does: 'Undo every change of the clock', line: 'hub-sandbox clock real' }],
    },
  )
  connected(
    group
      .command('until-idle')
      .description('Advance from retry to retry until none is pending')
      .action((options: ControlOptions) => act(options, { untilIdle: true })),
    {
      examples: [{ does: 'Send all pending retries now', line: 'hub-sandbox clock until-idle' }],
    },
  )
}
