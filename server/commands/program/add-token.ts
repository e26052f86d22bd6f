import type { Command } from 'commander'
import type { TokenOptions } from '../token.ts'
import { collect, connected } from './define.ts'

export function addToken(program: Command): void {
  connected(mintOptions(program.command('token').description('print a new access token')), {
    json: 'the whole token response',
    examples: [
      {
        does: 'ask as bob who he is',
        line: 'curl -H "Authorization: Bearer $(hub-sandbox token --user bob)" "$HF_ENDPOINT/api/whoami-v2"',
      },
      { does: 'one that ends soon', line: 'hub-sandbox token --expires-in 90s' },
    ],
  })
}

/** What a new token is to be, whichever command makes it. */
export function mintOptions(command: Command): Command {
  return command
    .option('--user <name>', 'whose (default: the first user)')
    .option('--client <id>', 'client id of the app (default: the first public one)')
    .option('--scope <scopes>', 'scopes with spaces between (default: those of the app)')
    .option('--organization <name>', 'organization ticked at consent; repeatable', collect)
    .option('--expires-in <time>', '8h, 90s, or a number of seconds')
    .option('--role <role>', 'a user access token instead: read, write')
    .option('--name <name>', 'name of the user access token')
    .action(async (options: TokenOptions) => (await import('../token.ts')).token(options))
}
