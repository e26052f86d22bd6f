import type { Command } from 'commander'
import type { ListenCommandOptions } from '../listen.ts'
import { connected } from './define.ts'

export function addListen(program: Command): void {
  connected(
    program
      .command('listen')
      .description('watch deliveries in the terminal as they happen')
      .option(
        '--forward-to <address>',
        'send the events there while this runs: a port, localhost:8000/path or a URL',
      )
      .option('--secret <secret>', 'secret of that webhook')
      .action(async (options: ListenCommandOptions) =>
        (await import('../listen.ts')).listen(options),
      ),
    {
      needs: { secret: 'forwardTo' },
      json: 'a line of JSON for each attempt, and for each delivery that will have none',
      examples: [
        { does: 'watch, until Ctrl-C', line: 'hub-sandbox listen', endless: true },
        {
          does: 'send the events to a receiver here; the webhook goes away with Ctrl-C',
          line: "hub-sandbox listen --forward-to localhost:8000/webhooks --secret 'a secret'",
          endless: true,
        },
      ],
      ending: 'Ctrl-C and the end of the sandbox end it with 0, a broken connection with 1.',
    },
  )
}
