import type { Command } from 'commander'
import type { ListenCommandOptions } from '../listen.ts'
import { connected } from './define.ts'

export function addListen(program: Command): void {
  connected(
    program
      .command('listen')
      .description('Watch deliveries in the terminal')
      .option('--forward-to <url>', 'Forward events to this port, localhost:8000/path or URL')
      .option('--secret <secret>', 'Secret of the forwarding webhook')
      .action(async (options: ListenCommandOptions) =>
        (await import('../listen.ts')).listen(options),
      ),
    {
      needs: { secret: 'forwardTo' },
      json: 'Print a line of JSON for each attempt and skipped delivery',
      examples: [
        { does: 'Watch until Ctrl-C', line: 'hub-sandbox listen', endless: true },
        {
          does: 'Forward events to a local receiver until Ctrl-C',
          line: "hub-sandbox listen --forward-to localhost:8000/webhooks --secret 'a secret'",
          endless: true,
        },
      ],
      ending: 'Exit codes: 0 after Ctrl-C or when the sandbox stops; 1 connection lost.',
    },
  )
}
