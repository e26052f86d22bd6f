import type { AddFaultRequest, FaultItem } from '../../contract/control-faults.ts'
import type { DemoKind } from '../../contract/words/sandbox.ts'
import { words } from './words.ts'

/**
 * Evidence that an experiment judges by: `refuse-token` no use of the tokens; `wait` a use after the late response;
 * `retry` another token request; `sign-in-again` a new authorization instead of the same request; `drop-token` no other
 * use of the refused token.
 */
export type Expectation = 'refuse-token' | 'wait' | 'retry' | 'sign-in-again' | 'drop-token'

/** Fault for one request, and what a good app does then. */
export interface Experiment {
  id: string
  title: string
  expected: string
  expectation: Expectation
  rule: AddFaultRequest
  /** Demo whose app meets the fault. */
  demo: DemoKind
}

const token = { route: '/oauth/token', grantType: 'authorization_code' } as const
const refresh = { route: '/oauth/token', grantType: 'refresh_token' } as const

const badIdToken = { expectation: 'refuse-token', demo: 'sign-in' } as const

export const experiments: readonly Experiment[] = [
  {
    ...badIdToken,
    id: 'nonce',
    title: 'Wrong nonce',
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { claims: { nonce: 'another' } }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'audience',
    title: 'Wrong audience',
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { claims: { aud: 'another-client' } }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'expired',
    title: 'Expired ID token',
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { claims: { exp: 1 } }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'signature',
    title: 'Wrong signature',
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { breakSignature: true }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'key',
    title: 'Unknown signing key',
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { kid: 'unknown' }, times: 1 },
  },
  {
    id: 'unavailable',
    title: 'Token endpoint unavailable',
    expected: words.retriesSlowly,
    expectation: 'retry',
    demo: 'sign-in',
    rule: { match: token, status: 503, headers: { 'Retry-After': '1' }, times: 1 },
  },
  {
    id: 'slow',
    title: 'Slow token endpoint',
    expected: words.waitsForToken,
    expectation: 'wait',
    demo: 'sign-in',
    rule: { match: token, delay: '3s', times: 1 },
  },
  {
    id: 'refresh',
    title: 'Refresh refused once',
    expected: words.signsInAgain,
    expectation: 'sign-in-again',
    demo: 'refresh',
    rule: { match: refresh, oauthError: 'invalid_grant', times: 1 },
  },
  {
    id: 'revoked',
    title: 'Revoked token at userinfo',
    expected: words.dropsToken,
    expectation: 'drop-token',
    demo: 'sign-in',
    rule: {
      match: { route: '/oauth/userinfo' },
      status: 401,
      oauthError: 'invalid_token',
      times: 1,
    },
  },
]

/** Returns the latest rule of an experiment, for any app: a running experiment is known by its rule. */
export function ruleOf({ rule }: Experiment, faults: readonly FaultItem[]): FaultItem | undefined {
  return faults.findLast((fault) => {
    const { id: _id, hits: _hits, matches: _matches, createdAt: _at, ...own } = fault
    const { clientId: _client, ...match } = own.match
    return sorted({ ...own, match }) === sorted(rule)
  })
}

/** JSON that does not depend on the order of members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
