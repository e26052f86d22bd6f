import type { Command } from 'commander'
import { connected } from './program/define.ts'
import type { ControlOptions } from './read-options.ts'
import type { StatusOptions } from './status.ts'

const ending = 'Ends with 0 when it was done, 1 when no sandbox answers, 2 for wrong usage.'

/** `status` and `stop`: each is loaded when it is called. */
export function addStatusAndStop(program: Command): void {
  connected(
    program
      .command('status')
      .description('say where the sandbox is, since when, and what bends its answers')
      .action(async (options: StatusOptions) => (await import('./status.ts')).status(options)),
    {
      json: 'as JSON',
      examples: [
        { does: 'for a person', line: 'hub-sandbox status' },
        { does: 'for a program', line: 'hub-sandbox status --json' },
      ],
      ending,
    },
  )
  connected(
    program
      .command('stop')
      .description('end the sandbox: what is in flight is finished, the state saved')
      .action(async (options: ControlOptions) => (await import('./stop.ts')).stop(options)),
    {
      examples: [{ does: 'and wait until it has ended', line: 'hub-sandbox stop' }],
      ending,
    },
  )
}
