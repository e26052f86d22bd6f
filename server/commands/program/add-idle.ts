import type { Command } from 'commander'
import type { IdleCommandOptions } from '../idle.ts'
import { connected } from './define.ts'

export function addIdle(program: Command): void {
  connected(
    program
      .command('idle')
      .description('Wait until no delivery is queued or in flight')
      .option('--timeout <duration>', 'Maximum wait in real time (default: 10s)')
      .option('--waiting', 'Also wait for pending retries')
      .action(async (options: IdleCommandOptions) => (await import('../idle.ts')).idle(options)),
    {
      examples: [
        {
          does: 'Wait until the receiver has received everything',
          line: 'hub-sandbox trigger repo.content --repo acme/corpus && hub-sandbox idle --timeout 30s',
        },
      ],
      ending: 'Exits with 1 on timeout and prints the outstanding deliveries.',
    },
  )
}
