import { queryHelp } from '../list-words.ts'
import type { Row } from '../program/row.ts'
import { limit, noColor } from './shared.ts'

export const flows: Row = {
  name: 'flows [id-or-query...]',
  does: 'List sign-ins or show one step by step',
  arguments: {
    'id-or-query': {
      help: 'Sign-in id, "latest", or a query such as status:refused',
      of: 'sign-in',
    },
  },
  options: {
    '--verbose': 'Explain every step',
    '--html [file]': 'Write a sign-in as HTML (default file: sign-in-ID.html)',
    '--limit <number>': limit,
    '--no-color': noColor,
  },
  load: async () => (await import('../flows-command.ts')).flows,
  needs: { html: 'id-or-query' },
  json: 'Print the items as JSON, newest first, or one sign-in',
  examples: {
    'List all sign-ins and their results': 'hub-sandbox flows',
    'List refused sign-ins of the last hour': 'hub-sandbox flows status:refused from:1h',
    'Explain every step of the newest sign-in': 'hub-sandbox flows latest --verbose',
    'Write the newest sign-in as HTML, with secrets masked':
      'hub-sandbox flows latest --html sign-in.html',
  },
  ending: queryHelp('flows'),
}

export const requests: Row = {
  name: 'requests [query...]',
  does: 'List requests, with reasons for refusals',
  arguments: { query: 'Words to filter by, such as status:4xx' },
  options: {
    '--client <id>': { help: 'Filter by app: client id or name', of: 'app' },
    '--user <name>': { help: 'Filter by user', of: 'user' },
    '--method <method>': { help: 'Filter by method', of: 'method' },
    '--path <text>': 'Filter by part of the path',
    '--status <code>': 'Filter by status: 404 or 4xx',
    '--refused': 'Show refused requests only',
    '--follow': 'Also print new requests until Ctrl-C',
    '--limit <number>': limit,
    '--no-color': noColor,
  },
  load: async () => (await import('../flows-command.ts')).requests,
  json: 'Print the items as JSON, newest first; with --follow one per line',
  examples: {
    'Show refused token requests and the reasons':
      'hub-sandbox requests --refused --path /oauth/token',
    'Show failed requests of a user in the last 10 minutes':
      "hub-sandbox requests 'user:alice status:>=400 from:10m'",
    'Watch for refused requests': { endless: 'hub-sandbox requests --follow --refused --limit 1' },
    'Print the newest request as JSON': 'hub-sandbox requests --limit 1 --json',
  },
  ending: `--follow reconnects if the sandbox restarts and reports gaps. Ctrl-C exits with 0.\n\n${queryHelp('requests')}`,
}

export const summary: Row = {
  name: 'summary',
  does: 'Print results of sign-ins and deliveries as Markdown',
  options: {
    '--html [file]':
      'Write sign-ins, deliveries and requests as an HTML file (default name: hub-sandbox-run.html)',
  },
  load: async () => (await import('../summary-command.ts')).summary,
  json: 'Print the results as JSON',
  examples: {
    'Add the results to the page of a GitHub job': 'hub-sandbox summary >> "$GITHUB_STEP_SUMMARY"',
  },
}
