import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'
import { type CiDrill, ciDrills } from '../../../../server/contract/words/ci-words.ts'
import { tokenExchangeGrant } from '../../../../server/contract/words/oauth-words.ts'
import { words } from '../words.ts'

interface Preset {
  title: string
  rule: AddFaultRequest
}

const token = { route: '/oauth/token' } as const
const signIn = { ...token, grantType: 'authorization_code' } as const
const inference = { route: '/v1/chat/completions' } as const
const anyWebhook = { webhookId: '*' } as const

const authorize = { route: '/oauth/authorize' } as const
const resourceMetadata = { route: '/.well-known/oauth-protected-resource*' } as const
const ciExchange = { ...token, grantType: tokenExchangeGrant } as const

const drillTitles: Readonly<Record<CiDrill, string>> = {
  'wrong-audience': words.wrongAudience,
  expired: words.expiredIdToken,
  'wrong-ref': 'Wrong ref',
  'unknown-key': words.unknownSigningKey,
  replay: 'ID token used before',
}

/** Common failures as rules to start from. */
export const presetGroups: readonly { title: string; presets: readonly Preset[] }[] = [
  {
    title: 'Tokens',
    presets: [
      { title: 'Slow token endpoint', rule: { match: token, delay: '5s', times: 3 } },
      {
        title: 'Refresh refused once',
        rule: {
          match: { ...token, grantType: 'refresh_token' },
          oauthError: 'invalid_grant',
          times: 1,
        },
      },
      {
        title: 'Userinfo unavailable',
        rule: { match: { route: '/oauth/userinfo' }, status: 503, times: 5 },
      },
      {
        title: words.tooManyRequests,
        rule: {
          match: { route: '/api/*' },
          status: 429,
          headers: { 'Retry-After': '2' },
          times: 3,
        },
      },
    ],
  },
  {
    title: words.idToken,
    presets: [
      {
        title: 'Wrong nonce',
        rule: { match: signIn, idToken: { claims: { nonce: 'another' } }, times: 1 },
      },
      {
        title: words.wrongAudience,
        rule: { match: signIn, idToken: { claims: { aud: 'another-client' } }, times: 1 },
      },
      {
        title: words.expiredIdToken,
        rule: { match: signIn, idToken: { claims: { exp: 1 } }, times: 1 },
      },
      {
        title: 'Wrong signature',
        rule: { match: signIn, idToken: { breakSignature: true }, times: 1 },
      },
      {
        title: words.unknownSigningKey,
        rule: { match: token, idToken: { kid: 'unknown' }, times: 1 },
      },
    ],
  },
  {
    title: 'Authorization response',
    presets: [
      {
        title: 'Wrong iss',
        rule: {
          match: authorize,
          redirect: { set: { iss: 'https://another-issuer.invalid' } },
          times: 1,
        },
      },
      { title: 'No iss', rule: { match: authorize, redirect: { remove: ['iss'] }, times: 1 } },
      {
        title: 'Wrong state',
        rule: { match: authorize, redirect: { set: { state: 'another' } }, times: 1 },
      },
    ],
  },
  {
    title: 'MCP',
    presets: [
      {
        title: 'Authorization server moved',
        rule: {
          match: resourceMetadata,
          set: { authorization_servers: ['https://another-issuer.invalid'] },
          times: 1,
        },
      },
      {
        title: 'Resource mismatch',
        rule: {
          match: resourceMetadata,
          set: { resource: 'https://another-resource.invalid/mcp' },
          times: 1,
        },
      },
      {
        title: 'Metadata document gone',
        rule: {
          match: { ...token, grantType: 'refresh_token' },
          oauthError: 'invalid_client',
          times: 1,
        },
      },
      {
        title: 'More scopes required',
        rule: {
          match: { route: '/mcp', method: 'POST' },
          status: 403,
          headers: {
            'WWW-Authenticate':
              'Bearer error="insufficient_scope", scope="read-mcp write-discussions"',
          },
          body: { error: 'This call requires the scope write-discussions.' },
          times: 1,
        },
      },
      {
        title: 'Registration closed',
        rule: {
          match: { route: '/oauth/register' },
          status: 403,
          oauthError: 'access_denied',
          times: 5,
        },
      },
    ],
  },
  {
    title: 'CI identity',
    presets: ciDrills.map((ciDrill) => ({
      title: drillTitles[ciDrill],
      rule: { match: ciExchange, ciDrill, times: 1 },
    })),
  },
  {
    title: 'Connection',
    presets: [
      { title: 'Connection reset', rule: { match: token, break: 'reset', times: 1 } },
      { title: 'Truncated response', rule: { match: token, break: 'truncate', times: 1 } },
      { title: words.proxyErrorPage, rule: { match: token, break: 'html', times: 1 } },
    ],
  },
  {
    title: 'Inference',
    presets: [
      {
        title: 'No credits left',
        rule: {
          match: inference,
          status: 402,
          body: {
            error: 'You have exceeded your monthly included credits for Inference Providers.',
          },
          times: 1,
        },
      },
      {
        title: words.tooManyRequests,
        rule: { match: inference, status: 429, headers: { 'Retry-After': '2' }, times: 3 },
      },
      {
        title: 'Model is loading',
        rule: {
          match: inference,
          status: 503,
          body: { error: 'The model is currently loading', estimated_time: 20 },
          times: 3,
        },
      },
    ],
  },
  {
    title: words.deliveries,
    presets: [
      { title: 'Webhook responds 429', rule: { match: anyWebhook, status: 429, times: 3 } },
      { title: 'Deliveries fail', rule: { match: anyWebhook, break: 'reset', times: 3 } },
      { title: 'Deliveries delayed', rule: { match: anyWebhook, delay: '5s', times: 3 } },
    ],
  },
]

export const firstRule: AddFaultRequest = presetGroups[0]?.presets[0]?.rule ?? { match: {} }
