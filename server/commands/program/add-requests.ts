import type { Command } from 'commander'
import type { RequestsOptions } from '../flows.ts'
import { connected } from './define.ts'

export function addRequests(program: Command): void {
  connected(
    program
      .command('requests')
      .description('show the requests, and why some were refused')
      .option('--client <id>', 'of this app')
      .option('--user <name>', 'of this user')
      .option('--method <method>', 'with this method')
      .option('--path <text>', 'whose path has this in it')
      .option('--status <code>', '404, or 4xx')
      .option('--refused', 'only the refused ones')
      .option('--limit <number>', 'how many of the latest (default: 100)')
      .option('--no-color', 'without colours (also NO_COLOR; none in a pipe)')
      .action(async (options: RequestsOptions) => (await import('../flows.ts')).requests(options)),
    {
      json: 'the items of the control API, the newest first',
      examples: [
        {
          does: 'what was refused at the token endpoint, and why',
          line: 'hub-sandbox requests --refused --path /oauth/token',
        },
        { does: 'the newest alone, for a program', line: 'hub-sandbox requests --limit 1 --json' },
      ],
    },
  )
}
