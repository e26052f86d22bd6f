import type { Command } from 'commander'
import type { FlowsOptions } from '../flows.ts'
import { queryHelp } from '../list-words.ts'
import { connected } from './define.ts'

export function addFlows(program: Command): void {
  connected(
    program
      .command('flows')
      .description('List sign-ins or show one step by step')
      .argument('[id-or-query...]', 'Sign-in id, "latest", or a query such as status:refused')
      .option('--verbose', 'Explain every step')
      .option('--html [file]', 'Write a sign-in as HTML (default file: sign-in-ID.html)')
      .option('--limit <number>', 'Maximum number of entries (default: 100)')
      .option('--no-color', 'Disable colors (also NO_COLOR; off in a pipe)')
      .action(async (words: string[], options: FlowsOptions) =>
        (await import('../flows.ts')).flows(words, options),
      ),
    {
      needs: { html: 'id-or-query' },
      json: 'Print the items as JSON, newest first, or one sign-in',
      examples: [
        { does: 'List all sign-ins and their results', line: 'hub-sandbox flows' },
        {
          does: 'List refused sign-ins of the last hour',
          line: 'hub-sandbox flows status:refused from:1h',
        },
        {
          does: 'Explain every step of the newest sign-in',
          line: 'hub-sandbox flows latest --verbose',
        },
        {
          does: 'Write the newest sign-in as HTML, with secrets masked',
          line: 'hub-sandbox flows latest --html sign-in.html',
        },
      ],
      ending: queryHelp('flows'),
    },
  )
}
