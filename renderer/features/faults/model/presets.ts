import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'

interface Preset {
  title: string
  rule: AddFaultRequest
}

const token = { route: '/oauth/token' } as const
const signIn = { ...token, grantType: 'authorization_code' } as const
const anyWebhook = { webhookId: '*' } as const

/** What goes wrong with a hub, as rules to start from. */
export const presetGroups: readonly { title: string; presets: readonly Preset[] }[] = [
  {
    title: 'Tokens',
    presets: [
      { title: 'Token endpoint slow', rule: { match: token, delay: '5s', times: 3 } },
      {
        title: 'Refresh refused once',
        rule: {
          match: { ...token, grantType: 'refresh_token' },
          oauthError: 'invalid_grant',
          times: 1,
        },
      },
      {
        title: 'User info down',
        rule: { match: { route: '/oauth/userinfo' }, status: 503, times: 5 },
      },
      {
        title: 'Too many requests',
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
    title: 'ID token',
    presets: [
      {
        title: 'Wrong nonce',
        rule: { match: signIn, idToken: { claims: { nonce: 'another' } }, times: 1 },
      },
      {
        title: 'Wrong audience',
        rule: { match: signIn, idToken: { claims: { aud: 'another-client' } }, times: 1 },
      },
      {
        title: 'Expired ID token',
        rule: { match: signIn, idToken: { claims: { exp: 1 } }, times: 1 },
      },
      {
        title: 'Wrong signature',
        rule: { match: signIn, idToken: { breakSignature: true }, times: 1 },
      },
      {
        title: 'Unknown signing key',
        rule: { match: token, idToken: { kid: 'unknown' }, times: 1 },
      },
    ],
  },
  {
    title: 'Connection',
    presets: [
      { title: 'Connection reset', rule: { match: token, break: 'reset', times: 1 } },
      { title: 'Half an answer', rule: { match: token, break: 'truncate', times: 1 } },
      { title: 'A proxy’s page', rule: { match: token, break: 'html', times: 1 } },
    ],
  },
  {
    title: 'Deliveries',
    presets: [
      { title: 'Webhook answers 429', rule: { match: anyWebhook, status: 429, times: 3 } },
      { title: 'Deliveries fail', rule: { match: anyWebhook, break: 'reset', times: 3 } },
      { title: 'Deliveries late', rule: { match: anyWebhook, delay: '5s', times: 3 } },
    ],
  },
]

export const firstRule: AddFaultRequest = presetGroups[0]?.presets[0]?.rule ?? { match: {} }
