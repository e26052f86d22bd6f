import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addReset(program: Command): void {
  connected(
    program
      .command('reset')
      .description('go back to the fixtures, completely')
      .action(async (options: ControlOptions) => (await import('../snapshots.ts')).reset(options)),
    {
      examples: [
        { does: 'tokens, deliveries, clock and all: as at the start', line: 'hub-sandbox reset' },
      ],
    },
  )
}
