import type { Command } from 'commander'
import type { RequestsOptions } from '../flows.ts'
import { queryHelp } from '../list-words.ts'
import { connected } from './define.ts'

export function addRequests(program: Command): void {
  connected(
    program
      .command('requests')
      .description('List requests, with reasons for refusals')
      .argument('[query...]', 'Words to filter by, such as status:4xx')
      .option('--client <id>', 'Filter by app: client id or name')
      .option('--user <name>', 'Filter by user')
      .option('--method <method>', 'Filter by method')
      .option('--path <text>', 'Filter by part of the path')
      .option('--status <code>', 'Filter by status: 404 or 4xx')
      .option('--refused', 'Show refused requests only')
      .option('--follow', 'Also print new requests until Ctrl-C')
      .option('--limit <number>', 'Maximum number of entries (default: 100)')
      .option('--no-color', 'Disable colors (also NO_COLOR; off in a pipe)')
      .action(async (query: string[], options: RequestsOptions) =>
        (await import('../flows.ts')).requests(query, options),
      ),
    {
      json: 'Print the items as JSON, newest first; with --follow one per line',
      examples: [
        {
          does: 'Show refused token requests and the reasons',
          line: 'hub-sandbox requests --refused --path /oauth/token',
        },
        {
          does: 'Show failed requests of a user in the last 10 minutes',
          line: "hub-sandbox requests 'user:alice status:>=400 from:10m'",
        },
        {
          does: 'Watch for refused requests',
          line: 'hub-sandbox requests --follow --refused --limit 1',
          endless: true,
        },
        { does: 'Print the newest request as JSON', line: 'hub-sandbox requests --limit 1 --json' },
      ],
      ending: `--follow reconnects if the sandbox restarts and reports gaps. Ctrl-C exits with 0.\n\n${queryHelp('requests')}`,
    },
  )
}
