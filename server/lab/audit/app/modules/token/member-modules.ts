import { openIdCore, rfc } from '../../../../checks/rule.ts'
import type { AuditModule, PoisonFault } from '../../app-module.ts'
import { readsIdToken } from '../id-token/id-token-modules.ts'
import { poisonTokens } from '../poisoned-sign-in.ts'

/** A token response with other members. */
type MemberModule = Pick<AuditModule, 'title' | 'must' | 'expected' | 'fix'> &
  Partial<Pick<AuditModule, 'plan' | 'sources' | 'applies' | 'judge'>> & {
    name: string
    effect: Omit<PoisonFault, 'match'>
  }

const refuse = { must: 'refuse', expected: 'The app refuses the sign-in.' } as const
const accept = { must: 'accept', expected: 'The app accepts the sign-in.' } as const

const all: readonly MemberModule[] = [
  {
    ...refuse,
    name: 'no-access-token',
    title: 'The token response has no access token.',
    fix: 'Require access_token and token_type before you start a session. openid-client and oauth4webapi do.',
    effect: { remove: ['access_token'] },
  },
  {
    ...refuse,
    name: 'other-type',
    title: 'The access token is not a bearer token.',
    fix: 'Refuse a token_type that you do not know. openid-client and oauth4webapi do.',
    sources: [rfc(6749, '7.1')],
    effect: { set: { token_type: 'mac' } },
  },
  {
    ...accept,
    name: 'more',
    title: 'The token response has members that the app does not know.',
    fix: 'Read the members that you know, and ignore all others.',
    effect: { set: { unknown_member: { any: [1] }, session_state: 'a.b' } },
  },
  {
    ...accept,
    name: 'type-case',
    title: 'The token type is written Bearer. The Hub writes it in lower case.',
    fix: 'Compare token_type without regard to its case.',
    effect: { set: { token_type: 'Bearer' } },
  },
  {
    ...accept,
    name: 'no-refresh',
    title: 'The token response has no refresh token.',
    fix: 'Do without a refresh token: ask the user to sign in again when the access token has expired.',
    applies: ({ hasRefreshToken }) =>
      hasRefreshToken ? undefined : 'The app gets no refresh token.',
    effect: { remove: ['refresh_token'] },
  },
  {
    ...accept,
    name: 'no-expiry',
    title: 'The token response does not say how long the access token lives.',
    fix: 'Treat expires_in as optional: refresh when the Hub responds with 401.',
    effect: { remove: ['expires_in'] },
  },
  {
    ...refuse,
    name: 'no-id-token',
    title: 'The token response has no ID token, although the app asked for the scope openid.',
    fix: 'Require id_token when you ask for openid. openid-client: pass idTokenExpected to authorizationCodeGrant().',
    sources: [openIdCore('3.1.3.3')],
    applies: readsIdToken,
    effect: { remove: ['id_token'] },
  },
]

export const tokenMembers = all.map(({ name, effect, ...module }): AuditModule => ({
  id: `token/${name}`,
  plan: 'full',
  level: 'error',
  sources: [rfc(6749, '5.1')],
  ...module,
  provoke: () => poisonTokens(effect),
}))
