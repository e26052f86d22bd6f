import type { Command } from 'commander'
import type { IdleCommandOptions } from '../idle.ts'
import { connected } from './define.ts'

export function addIdle(program: Command): void {
  connected(
    program
      .command('idle')
      .description('wait until no delivery is queued or in flight')
      .option('--timeout <duration>', 'how long, in real time (default: 10s)')
      .option('--waiting', 'and no retry waits')
      .action(async (options: IdleCommandOptions) => (await import('../idle.ts')).idle(options)),
    {
      examples: [
        {
          does: 'look at the receiver only when it has got everything',
          line: 'hub-sandbox trigger repo.content --repo acme/corpus && hub-sandbox idle --timeout 30s',
        },
      ],
      ending: 'Ends with 1 where the time runs out first, and says what is outstanding.',
    },
  )
}
