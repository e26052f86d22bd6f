import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'
import { words } from '../words.ts'

interface Preset {
  title: string
  rule: AddFaultRequest
}

const token = { route: '/oauth/token' } as const
const signIn = { ...token, grantType: 'authorization_code' } as const
const inference = { route: '/v1/chat/completions' } as const
const anyWebhook = { webhookId: '*' } as const

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
