import { ciDrills } from '../../contract/words/ci-words.ts'
import { faultBreaks } from '../../contract/words/sandbox-words.ts'
import { call } from '../program/call.ts'
import { group } from '../program/row.ts'
import { matchOptions } from './shared.ts'

export const fault = group('fault', 'Delay, change or refuse chosen responses', [
  call('POST faults', {
    name: 'add',
    does: 'Add a rule and print its id',
    options: {
      ...matchOptions,
      '--flow <which>': { help: 'Match the next sign-in of the app only: next', to: 'match.flow' },
      '--webhook <id>': {
        help: 'Match deliveries of this webhook instead; * = any',
        to: 'match.webhookId',
        of: 'webhook',
      },
      '--skip <number>': 'Number of matches to let through first',
      '--times <number>': 'Number of matches to change after that (default: all)',
      '--delay <duration>': 'Delay the response',
      '--status <code>': 'Respond with this status',
      '--oauth-error <code>': 'Respond with this OAuth error',
      '--header <name=value>': {
        help: 'Set a response header; repeatable',
        to: 'headers',
        repeatable: true,
      },
      '--body <text>': 'Respond with this body',
      '--set <path=value>': {
        help: 'Set a field of the JSON response; repeatable',
        repeatable: true,
      },
      '--remove <path>': {
        help: 'Remove a field of the JSON response; repeatable',
        repeatable: true,
      },
      '--id-token-kid <kid>': { help: 'Key id in the header of ID tokens', to: 'idToken.kid' },
      '--id-token-claim <name=value>': {
        help: 'Set an ID token claim (JSON or string); null removes it; repeatable',
        to: 'idToken.claims',
        repeatable: true,
      },
      '--id-token-break-signature': {
        help: 'Issue ID tokens with an invalid signature',
        to: 'idToken.breakSignature',
      },
      '--id-token-header <name=value>': {
        help: 'Change the header of ID tokens: alg, jku, x5u, jwk=true or kid=null; repeatable',
        to: 'idToken.header',
        repeatable: true,
      },
      '--id-token-sign <how>': {
        help: 'Sign ID tokens with none, hs256-public-key, other-key or broken',
        to: 'idToken.sign',
      },
      '--redirect-set <name=value>': {
        help: 'Set a parameter of the redirect to the app; repeatable',
        to: 'redirect.set',
        repeatable: true,
      },
      '--redirect-remove <name>': {
        help: 'Remove a parameter of the redirect to the app; repeatable',
        to: 'redirect.remove',
        repeatable: true,
      },
      '--redirect-code-length <number>': {
        help: 'Length of the code in the redirect to the app',
        to: 'redirect.codeLength',
      },
      '--redirect-scope <scopes>': {
        help: 'Scopes that the user grants, of the requested ones',
        to: 'redirect.scope',
      },
      '--lengthen <token=number>': {
        help: 'Length of accessToken or refreshToken in characters; repeatable',
        repeatable: true,
      },
      '--ci-drill <mistake>': {
        help: 'Make a mistake in the ID token of a CI job',
        values: ciDrills,
      },
      '--break <how>': { help: 'Break the response: reset, truncate or html', values: faultBreaks },
    },
    body: { match: {} },
    show: ({ id }) => id,
    examples: {
      'Refuse the next token request only':
        'hub-sandbox fault add --route /oauth/token --status 503 --times 1',
      'Rate-limit the next API request':
        "hub-sandbox fault add --route '/api/*' --status 429 --header Retry-After=5 --times 1",
      'Issue ID tokens with an unpublished key and a wrong audience':
        'hub-sandbox fault add --route /oauth/token --id-token-kid gone --id-token-claim aud=another-app',
      'Issue an unsigned ID token in the next sign-in of an app':
        "hub-sandbox fault add --client 'Team Dashboard' --flow next --id-token-sign none",
      'Return to the app with another issuer (RFC 9207)':
        'hub-sandbox fault add --redirect-set iss=https://other.example --times 1',
      'Cut the connection of the next delivery':
        "hub-sandbox fault add --webhook '*' --break reset --times 1",
    },
  }),
  call('GET faults', {
    name: 'list',
    does: 'List fault rules (default)',
    isDefault: true,
    columns: ({ id, hits, createdAt: _createdAt, matches: _matches, ...rule }) => [
      id,
      hits === 1 ? '1 hit' : `${hits} hits`,
      JSON.stringify(rule),
    ],
    none: {
      text: 'No fault rules. Refuse the next token request:',
      next: ['fault', 'add', '--route', '/oauth/token', '--status', '503', '--times', '1'],
    },
    examples: { 'List all rules with their number of hits': 'hub-sandbox fault' },
  }),
  call('DELETE faults/:id', {
    name: 'remove <id>',
    does: 'Remove a rule',
    arguments: { id: { help: 'Rule id, or "latest"', of: 'fault rule' } },
    examples: { 'Remove the newest rule': 'hub-sandbox fault remove latest' },
  }),
  call('DELETE faults', {
    name: 'clear',
    does: 'Remove all rules',
    examples: { 'Return to normal responses': 'hub-sandbox fault clear' },
  }),
])
