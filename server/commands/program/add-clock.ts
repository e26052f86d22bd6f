import type { Command } from 'commander'
import type { MoveClockRequest } from '../../contract/control-clock.ts'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addClock(program: Command): void {
  const group = program
    .command('clock')
    .description('read the clock of the sandbox (the default), or move it')
  const act = async (options: ControlOptions, move?: MoveClockRequest) =>
    (await import('../clock.ts')).clock(options, move)

  connected(
    group
      .command('read', { isDefault: true })
      .description('print its time')
      .action((options: ControlOptions) => act(options)),
    {
      examples: [
        { does: 'print the time of the sandbox', line: 'hub-sandbox clock' },
        { does: 'and how far it is from real time', line: 'hub-sandbox clock --json' },
      ],
    },
  )
  connected(
    group
      .command('advance')
      .description('move it on')
      .argument('<duration>', '8h, 90s, 250ms')
      .action((advance: string, options: ControlOptions) => act(options, { advance })),
    {
      examples: [
        {
          does: 'access tokens of 8 h expire, due retries are sent',
          line: 'hub-sandbox clock advance 8h',
        },
      ],
    },
  )
  connected(
    group
      .command('set')
      .description('go to a time')
      .argument('<time>', 'ISO 8601')
      .action((set: string, options: ControlOptions) => act(options, { set })),
    {
      examples: [
        { does: 'the turn of a year', line: 'hub-sandbox clock set 2030-12-31T23:59:50Z' },
      ],
    },
  )
  connected(
    group
      .command('freeze')
      .description('let it stand still')
      .action((options: ControlOptions) => act(options, { frozen: true })),
    { examples: [{ does: 'nothing expires from here on', line: 'hub-sandbox clock freeze' }] },
  )
  connected(
    group
      .command('resume')
      .description('let it run again')
      .action((options: ControlOptions) => act(options, { frozen: false })),
    { examples: [{ does: 'from where it stands', line: 'hub-sandbox clock resume' }] },
  )
  connected(
    group
      .command('until-idle')
      .description('go from one due retry to the next until none waits')
      .action((options: ControlOptions) => act(options, { untilIdle: true })),
    {
      examples: [{ does: 'have every retry made now', line: 'hub-sandbox clock until-idle' }],
    },
  )
}
