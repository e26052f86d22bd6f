import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addResume(program: Command): void {
  connected(
    program
      .command('resume')
      .description('let a recorded run go on: deliver what was held')
      .action(async (options: ControlOptions) => (await import('../snapshots.ts')).resume(options)),
    {
      examples: [
        {
          does: 'once you have looked at what a file with a log shows',
          line: 'hub-sandbox resume',
        },
      ],
    },
  )
}
