import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addReset(program: Command): void {
  connected(
    program
      .command('reset')
      .description('Reset the whole state to the fixtures')
      .action(async (options: ControlOptions) => (await import('../snapshots.ts')).reset(options)),
    {
      examples: [
        { does: 'Reset tokens, deliveries, clock and everything else', line: 'hub-sandbox reset' },
      ],
    },
  )
}
