import type { Command } from 'commander'
import type { RequestsOptions } from '../flows.ts'
import { connected } from './define.ts'

export function addRequests(program: Command): void {
  connected(
    program
      .command('requests')
      .description('show the requests, and why some were refused')
      .option('--client <id>', 'of this app, by client id or name')
      .option('--user <name>', 'of this user')
      .option('--method <method>', 'with this method')
      .option('--path <text>', 'whose path has this in it')
      .option('--status <code>', '404, or 4xx')
      .option('--refused', 'only the refused ones')
      .option('--follow', 'and go on with those that come, until Ctrl-C')
      .option('--limit <number>', 'how many of the latest (default: 100)')
      .option('--no-color', 'without colours (also NO_COLOR; none in a pipe)')
      .action(async (options: RequestsOptions) => (await import('../flows.ts')).requests(options)),
    {
      json: 'the items of the control API, the newest first; with --follow a line for each',
      examples: [
        {
          does: 'what was refused at the token endpoint, and why',
          line: 'hub-sandbox requests --refused --path /oauth/token',
        },
        {
          does: 'what is refused from here on, while the app is tried by hand',
          line: 'hub-sandbox requests --follow --refused --limit 1',
          endless: true,
        },
        { does: 'the newest alone, for a program', line: 'hub-sandbox requests --limit 1 --json' },
      ],
      ending:
        'With --follow a sandbox that ends is waited for, and it is said where requests may be missing. Ctrl-C ends it with 0.',
    },
  )
}
