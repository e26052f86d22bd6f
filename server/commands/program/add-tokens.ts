import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import type { TokensOptions } from '../tokens.ts'
import { mintOptions } from './add-token.ts'
import { connected } from './define.ts'

export function addTokens(program: Command): void {
  const tokens = program.command('tokens').description('List, create or revoke access tokens')
  addTokensList(tokens)
  connected(
    mintOptions(tokens.command('mint').description('Print a new access token (same as "token")')),
    {
      json: 'Print the whole token response as JSON',
      examples: [
        {
          does: 'Create a user access token',
          line: "hub-sandbox tokens mint --user bob --role read --name 'laptop'",
        },
        {
          does: 'Create an app token of carol with access to acme',
          line: "hub-sandbox tokens mint --user carol --scope 'openid profile' --organization acme",
        },
      ],
    },
  )
  connected(
    tokens
      .command('revoke')
      .argument('<id>', 'Token, its id, or "latest"')
      .description('Revoke a token')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../tokens.ts')).revokeToken(id, options),
      ),
    {
      examples: [
        { does: 'Revoke a token by its value', line: 'hub-sandbox tokens revoke hf_sandbox_dave' },
        { does: 'Revoke the newest active token', line: 'hub-sandbox tokens revoke latest' },
      ],
    },
  )
}

function addTokensList(tokens: Command): void {
  connected(
    tokens
      .command('list', { isDefault: true })
      .description('List access tokens, newest last (default)')
      .option('--user <name>', 'Filter by user')
      .option('--client <id>', 'Filter by app: client id or name')
      .option('--state <state>', 'Filter by state: active, expired or revoked')
      .option('--limit <number>', 'Maximum number of entries (default: 100)')
      .action(async (options: TokensOptions) => (await import('../tokens.ts')).listTokens(options)),
    {
      json: 'Print the items as JSON, newest first',
      examples: [
        {
          does: 'List the active tokens of bob',
          line: 'hub-sandbox tokens --user bob --state active',
        },
      ],
    },
  )
}
