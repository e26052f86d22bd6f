import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addResume(program: Command): void {
  connected(
    program
      .command('resume')
      .description('Resume a recorded run and send its held deliveries')
      .action(async (options: ControlOptions) => (await import('../snapshots.ts')).resume(options)),
    {
      examples: [
        {
          does: 'Continue a run opened from a file with a log',
          line: 'hub-sandbox resume',
        },
      ],
    },
  )
}
