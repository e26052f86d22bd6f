import { tokenRoles, tokenStates } from '../../contract/words/oauth-words.ts'
import { call } from '../program/call.ts'
import { group, type Row } from '../program/row.ts'
import { limit, organization } from './shared.ts'

/** The same command by two names. */
const mint = {
  options: {
    '--user <name>': { help: 'User of the token (default: the first user)', of: 'user' },
    '--client <id>': {
      help: 'Client id or name of the app (default: first public app)',
      of: 'app',
    },
    '--scope <scopes>': { help: 'Space-separated scopes (default: those of the app)', of: 'scope' },
    '--organization <name>': organization,
    '--expires-in <time>': 'Lifetime: 8h, 90s, or a number of seconds',
    '--role <role>': {
      help: 'Print a user access token instead: read or write',
      values: tokenRoles,
    },
    '--name <name>': 'Name of the user access token',
  },
  load: async () => (await import('../token-command.ts')).token,
  json: 'Print the whole token response as JSON',
} satisfies Partial<Row>

export const token: Row = {
  ...mint,
  name: 'token',
  does: 'Print a new access token',
  examples: {
    'Call the Hub API as bob':
      'curl -H "Authorization: Bearer $(hub-sandbox token --user bob)" "$HF_ENDPOINT/api/whoami-v2"',
    'Print a token that expires in 90 s': 'hub-sandbox token --expires-in 90s',
  },
}

export const tokens = group('tokens', 'List, create or revoke access tokens', [
  {
    name: 'list',
    does: 'List access tokens, newest last (default)',
    isDefault: true,
    options: {
      '--user <name>': { help: 'Filter by user', of: 'user' },
      '--client <id>': { help: 'Filter by app: client id or name', of: 'app' },
      '--state <state>': {
        help: 'Filter by state: active, expired or revoked',
        values: tokenStates,
      },
      '--limit <number>': limit,
    },
    load: async () => (await import('../tokens-command.ts')).listTokens,
    json: 'Print the items as JSON, newest first',
    examples: { 'List the active tokens of bob': 'hub-sandbox tokens --user bob --state active' },
  },
  {
    ...mint,
    name: 'mint',
    does: 'Print a new access token (same as "token")',
    examples: {
      'Create a user access token':
        "hub-sandbox tokens mint --user bob --role read --name 'laptop'",
      'Create an app token of carol with access to acme':
        "hub-sandbox tokens mint --user carol --scope 'openid profile' --organization acme",
    },
  },
  call('DELETE tokens/:id', {
    name: 'revoke <id>',
    does: 'Revoke a token',
    arguments: { id: { help: 'Token, its id, or "latest"', of: 'token' } },
    examples: {
      'Revoke a token by its value': 'hub-sandbox tokens revoke hf_sandbox_dave',
      'Revoke the newest active token': 'hub-sandbox tokens revoke latest',
    },
  }),
])
