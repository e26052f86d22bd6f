import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import type { TokensOptions } from '../tokens.ts'
import { mintOptions } from './add-token.ts'
import { connected } from './define.ts'

export function addTokens(program: Command): void {
  const tokens = program
    .command('tokens')
    .description('list access tokens (the default), make one, revoke one')
  addTokensList(tokens)
  connected(
    mintOptions(tokens.command('mint').description('print a new access token, as "token" does')),
    {
      json: 'the whole token response',
      examples: [
        {
          does: 'what a user would make in the settings of the hub',
          line: "hub-sandbox tokens mint --user bob --role read --name 'laptop'",
        },
        {
          does: 'of an app, for carol and her organization',
          line: "hub-sandbox tokens mint --user carol --scope 'openid profile' --organization acme",
        },
      ],
    },
  )
  connected(
    tokens
      .command('revoke')
      .argument('<id>', 'the token, its id, or "latest"')
      .description('revoke a token')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../tokens.ts')).revokeToken(id, options),
      ),
    {
      examples: [
        { does: 'the token itself will do', line: 'hub-sandbox tokens revoke hf_sandbox_dave' },
        { does: 'the newest that is accepted', line: 'hub-sandbox tokens revoke latest' },
      ],
    },
  )
}

function addTokensList(tokens: Command): void {
  connected(
    tokens
      .command('list', { isDefault: true })
      .description('show access tokens, the newest last')
      .option('--user <name>', 'of this user')
      .option('--client <id>', 'of this app, by client id or name')
      .option('--state <state>', 'active, expired or revoked')
      .option('--limit <number>', 'how many of the latest (default: 100)')
      .action(async (options: TokensOptions) => (await import('../tokens.ts')).listTokens(options)),
    {
      json: 'the items of the control API, the newest first',
      examples: [
        { does: 'what is accepted of bob', line: 'hub-sandbox tokens --user bob --state active' },
      ],
    },
  )
}
