import type { Command } from 'commander'
import type { CimdOptions } from '../cimd.ts'
import { connected } from './define.ts'

export function addCimd(program: Command): void {
  const cimd = program.command('cimd').description('Serve a client metadata document')
  connected(
    cimd
      .command('serve')
      .description('Serve a file and check it at each change')
      .argument('<file>', 'JSON file with the document')
      .option('--at <url>', 'URL of the document (default: its client_id)')
      .action(async (file: string, options: CimdOptions) =>
        (await import('../cimd.ts')).serveDocument(file, options),
      ),
    {
      json: 'Print a line of JSON for each check',
      examples: [
        {
          does: 'Serve a document without a web site until Ctrl-C',
          line: 'hub-sandbox cimd serve client.json',
          endless: true,
        },
        {
          does: 'Serve it at the URL of the deployed client',
          line: 'hub-sandbox cimd serve client.json --at https://client.example/.well-known/oauth-cimd',
          endless: true,
        },
      ],
      ending:
        'Prints each problem with its line and column, and the URL to use as client_id. Exit codes: 0 after Ctrl-C; 1 no sandbox, or connection lost; 2 the file cannot be read.',
    },
  )
}
