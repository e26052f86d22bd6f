import type { Command } from 'commander'
import type { TokenOptions } from '../token.ts'
import { collect, connected } from './define.ts'

export function addToken(program: Command): void {
  connected(mintOptions(program.command('token').description('Print a new access token')), {
    json: 'Print the whole token response as JSON',
    examples: [
      {
        does: 'Call the Hub API as bob',
        line: 'curl -H "Authorization: Bearer $(hub-sandbox token --user bob)" "$HF_ENDPOINT/api/whoami-v2"',
      },
      { does: 'Print a token that expires in 90 s', line: 'hub-sandbox token --expires-in 90s' },
    ],
  })
}

/** Adds the options of a new token. */
export function mintOptions(command: Command): Command {
  return command
    .option('--user <name>', 'User of the token (default: the first user)')
    .option('--client <id>', 'Client id or name of the app (default: first public app)')
    .option('--scope <scopes>', 'Space-separated scopes (default: those of the app)')
    .option('--organization <name>', 'Organization to grant access to; repeatable', collect)
    .option('--expires-in <time>', 'Lifetime: 8h, 90s, or a number of seconds')
    .option('--role <role>', 'Print a user access token instead: read or write')
    .option('--name <name>', 'Name of the user access token')
    .action(async (options: TokenOptions) => (await import('../token.ts')).token(options))
}
