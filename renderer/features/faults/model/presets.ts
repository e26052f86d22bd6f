import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'
import { type CiDrill, ciDrills } from '../../../../server/contract/words/ci.ts'
import { tokenExchangeGrant } from '../../../../server/contract/words/oauth.ts'
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
  'wrong-ref': words.wrongRef,
  'unknown-key': words.unknownSigningKey,
  replay: words.usedIdToken,
}

/** Common failures as rules to start from. */
export const presetGroups: readonly { title: string; presets: readonly Preset[] }[] = [
  {
    title: words.tokens,
    presets: [
      { title: words.slowTokenEndpoint, rule: { match: token, delay: '5s', times: 3 } },
      {
        title: words.refreshRefusedOnce,
        rule: {
          match: { ...token, grantType: 'refresh_token' },
          oauthError: 'invalid_grant',
          times: 1,
        },
      },
      {
        title: words.userinfoDown,
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
        title: words.wrongNonce,
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
        title: words.wrongSignature,
        rule: { match: signIn, idToken: { breakSignature: true }, times: 1 },
      },
      {
        title: words.unknownSigningKey,
        rule: { match: token, idToken: { kid: 'unknown' }, times: 1 },
      },
    ],
  },
  {
    title: words.response,
    presets: [
      {
        title: words.wrongIss,
        rule: {
          match: authorize,
          redirect: { set: { iss: 'https://another-issuer.invalid' } },
          times: 1,
        },
      },
      { title: words.noIss, rule: { match: authorize, redirect: { remove: ['iss'] }, times: 1 } },
      {
        title: words.wrongState,
        rule: { match: authorize, redirect: { set: { state: 'another' } }, times: 1 },
      },
    ],
  },
  {
    title: words.mcp,
    presets: [
      {
        title: words.serverMoved,
        rule: {
          match: resourceMetadata,
          set: { authorization_servers: ['https://another-issuer.invalid'] },
          times: 1,
        },
      },
      {
        title: words.resourceMismatch,
        rule: {
          match: resourceMetadata,
          set: { resource: 'https://another-resource.invalid/mcp' },
          times: 1,
        },
      },
      {
        title: words.documentGone,
        rule: {
          match: { ...token, grantType: 'refresh_token' },
          oauthError: 'invalid_client',
          times: 1,
        },
      },
      {
        title: words.moreScopes,
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
        title: words.registrationClosed,
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
    title: words.ciIdentity,
    presets: ciDrills.map((ciDrill) => ({
      title: drillTitles[ciDrill],
      rule: { match: ciExchange, ciDrill, times: 1 },
    })),
  },
  {
    title: words.connection,
    presets: [
      { title: words.connectionReset, rule: { match: token, break: 'reset', times: 1 } },
      { title: words.truncatedResponse, rule: { match: token, break: 'truncate', times: 1 } },
      { title: words.proxyErrorPage, rule: { match: token, break: 'html', times: 1 } },
    ],
  },
  {
    title: words.inference,
    presets: [
      {
        title: words.noCredits,
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
        title: words.modelLoading,
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
      { title: words.webhook429, rule: { match: anyWebhook, status: 429, times: 3 } },
      { title: words.deliveriesFail, rule: { match: anyWebhook, break: 'reset', times: 3 } },
      { title: words.deliveriesLate, rule: { match: anyWebhook, delay: '5s', times: 3 } },
    ],
  },
]

export const firstRule: AddFaultRequest = presetGroups[0]?.presets[0]?.rule ?? { match: {} }
