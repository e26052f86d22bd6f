import type { Command } from 'commander'
import { connected } from './program/define.ts'
import type { ControlOptions } from './read-options.ts'
import type { StatusOptions } from './status.ts'

const ending = 'Exit codes: 0 success; 1 no sandbox found; 2 invalid usage.'

/** Adds `status` and `stop`, whose code is loaded when they are called. */
export function addStatusAndStop(program: Command): void {
  connected(
    program
      .command('status')
      .description('Show URL, uptime and everything that is active')
      .action(async (options: StatusOptions) => (await import('./status.ts')).status(options)),
    {
      json: 'Print the status as JSON',
      examples: [
        {
          does: 'Show URL, uptime, clock, faults, barriers, experiments, audits and flags',
          line: 'hub-sandbox status',
        },
        { does: 'Print the same as JSON', line: 'hub-sandbox status --json' },
      ],
      ending,
    },
  )
  connected(
    program
      .command('stop')
      .description('Stop the sandbox and save its state')
      .action(async (options: ControlOptions) => (await import('./stop.ts')).stop(options)),
    {
      examples: [
        {
          does: 'Finish requests in flight, save, and wait for the exit',
          line: 'hub-sandbox stop',
        },
      ],
      ending,
    },
  )
}
