import type { AddFaultRequest, FaultItem } from '../../../../server/contract/control-faults.ts'
import type { DemoKind } from '../../../../server/contract/words/sandbox.ts'
import { words } from '../words.ts'

/**
 * Evidence that an experiment judges by: `refuse-token` no use of the tokens; `wait` a use after the late response;
 * `retry` another token request; `sign-in-again` a new authorization instead of the same request.
 */
export type Expectation = 'refuse-token' | 'wait' | 'retry' | 'sign-in-again'

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
    title: words.wrongNonce,
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { claims: { nonce: 'another' } }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'audience',
    title: words.wrongAudience,
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { claims: { aud: 'another-client' } }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'expired',
    title: words.expiredIdToken,
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { claims: { exp: 1 } }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'signature',
    title: words.wrongSignature,
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { breakSignature: true }, times: 1 },
  },
  {
    ...badIdToken,
    id: 'key',
    title: words.unknownSigningKey,
    expected: words.refusesIdToken,
    rule: { match: token, idToken: { kid: 'unknown' }, times: 1 },
  },
  {
    id: 'unavailable',
    title: words.tokenEndpointDown,
    expected: words.retriesSlowly,
    expectation: 'retry',
    demo: 'sign-in',
    rule: { match: token, status: 503, headers: { 'Retry-After': '1' }, times: 1 },
  },
  {
    id: 'slow',
    title: words.slowTokenEndpoint,
    expected: words.waitsForToken,
    expectation: 'wait',
    demo: 'sign-in',
    rule: { match: token, delay: '3s', times: 1 },
  },
  {
    id: 'refresh',
    title: words.refreshRefusedOnce,
    expected: words.signsInAgain,
    expectation: 'sign-in-again',
    demo: 'refresh',
    rule: { match: refresh, oauthError: 'invalid_grant', times: 1 },
  },
  {
    id: 'revoked',
    title: words.tokenRevoked,
    expected: words.signsInAgain,
    expectation: 'sign-in-again',
    demo: 'sign-in',
    rule: {
      match: { route: '/oauth/userinfo' },
      status: 401,
      oauthError: 'invalid_token',
      times: 1,
    },
  },
]

/** Returns the latest rule of an experiment: a running one is known by its rule, also after a reload. */
export function ruleOf({ rule }: Experiment, faults: readonly FaultItem[]): FaultItem | undefined {
  return faults.findLast((fault) => {
    const { id: _id, hits: _hits, matches: _matches, createdAt: _at, ...own } = fault
    return sorted(own) === sorted(rule)
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
