import type { AddFaultRequest, FaultItem } from '../../contract/control-faults.ts'
import { type CiDrill, ciDrills } from '../../contract/words/ci-words.ts'
import { tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import type { DemoKind, ExperimentArea } from '../../contract/words/sandbox-words.ts'
import { words } from './words.ts'

/**
 * Evidence that an experiment judges by: `refuse-token` no use of the tokens; `wait` a use after the late response;
 * `retry` another token request; `sign-in-again` a new authorization instead of the same request; `drop-token` no other
 * use of the refused token; `refuse-response` no use of the code; `leave` no sign-in at this server; `step-up` an
 * authorization request for the missing scope; `register-once` no repeated registration.
 */
export type Expectation =
  | 'refuse-token'
  | 'wait'
  | 'retry'
  | 'sign-in-again'
  | 'drop-token'
  | 'refuse-response'
  | 'leave'
  | 'step-up'
  | 'register-once'

/** Fault for one request, and what a good app does then. */
export interface Experiment {
  id: string
  title: string
  expected: string
  expectation: Expectation
  rule: AddFaultRequest
  area: ExperimentArea
  /** Demo whose app meets the fault. */
  demo?: DemoKind
  /** Whether the sandbox must send `iss` (RFC 9207). */
  needsIss?: true
  /** Whether the request of the rule names no app. */
  isAnonymous?: true
}

const token = { route: '/oauth/token', grantType: 'authorization_code' } as const
const refresh = { route: '/oauth/token', grantType: 'refresh_token' } as const

type Listed = Omit<Experiment, 'area'>

/** Experiment with a wrong ID token. */
function badIdToken(
  id: string,
  title: string,
  idToken: NonNullable<AddFaultRequest['idToken']>,
): Listed {
  return {
    id,
    title,
    expected: words.refusesIdToken,
    expectation: 'refuse-token',
    demo: 'sign-in',
    rule: { match: token, idToken, times: 1 },
  }
}

/** Experiment with a wrong authorization response. */
function badResponse(
  id: string,
  title: string,
  redirect: NonNullable<AddFaultRequest['redirect']>,
): Listed {
  return {
    id,
    title,
    expected: words.refusesResponse,
    expectation: 'refuse-response',
    demo: 'sign-in',
    rule: { match: { route: '/oauth/authorize' }, redirect, times: 1 },
  }
}

const resourceMetadata = { route: '/.well-known/oauth-protected-resource*' } as const

/** Scope that a call of the MCP server lacks in the experiment. */
export const missingScope = 'write-discussions'

const ofSignIn: readonly Listed[] = [
  badIdToken('nonce', 'Wrong nonce', { claims: { nonce: 'another' } }),
  badIdToken('audience', 'Wrong audience', { claims: { aud: 'another-client' } }),
  badIdToken('expired', 'Expired ID token', { claims: { exp: 1 } }),
  badIdToken('signature', 'Wrong signature', { breakSignature: true }),
  badIdToken('key', 'Unknown signing key', { kid: 'unknown' }),
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
  badResponse('state', 'Wrong state', { set: { state: 'another' } }),
  badResponse('iss', 'Wrong iss in the response', {
    set: { iss: 'https://another-issuer.invalid' },
  }),
  {
    ...badResponse('iss-missing', 'No iss in the response', { remove: ['iss'] }),
    needsIss: true,
  },
]

const ofMcp: readonly Listed[] = [
  {
    id: 'server-moved',
    title: 'Authorization server moved',
    expected: words.followsMove,
    expectation: 'leave',
    isAnonymous: true,
    rule: {
      match: resourceMetadata,
      set: { authorization_servers: ['https://another-issuer.invalid'] },
      times: 1,
    },
  },
  {
    id: 'resource',
    title: 'Resource mismatch',
    expected: words.refusesMetadata,
    expectation: 'leave',
    isAnonymous: true,
    rule: {
      match: resourceMetadata,
      set: { resource: 'https://another-resource.invalid/mcp' },
      times: 1,
    },
  },
  {
    id: 'document',
    title: 'Metadata document changed or gone',
    expected: words.signsInAgain,
    expectation: 'sign-in-again',
    demo: 'refresh',
    rule: { match: refresh, oauthError: 'invalid_client', times: 1 },
  },
  {
    id: 'step-up',
    title: 'More scopes required',
    expected: words.asksForScope,
    expectation: 'step-up',
    rule: {
      match: { route: '/mcp', method: 'POST' },
      status: 403,
      headers: {
        'WWW-Authenticate': `Bearer error="insufficient_scope", scope="read-mcp ${missingScope}"`,
      },
      body: { error: `This call requires the scope ${missingScope}.` },
      times: 1,
    },
  },
  {
    id: 'registration',
    title: 'Registration closed',
    expected: words.registersOnce,
    expectation: 'register-once',
    isAnonymous: true,
    rule: {
      match: { route: '/oauth/register' },
      status: 403,
      oauthError: 'access_denied',
      times: 5,
    },
  },
]

const drillTitles: Readonly<Record<CiDrill, string>> = {
  'wrong-audience': 'CI job with a wrong audience',
  expired: 'CI job with an expired ID token',
  'wrong-ref': 'CI job of another branch',
  'unknown-key': 'CI job with an unknown key',
  replay: 'CI job with a used ID token',
}

const ofCi = ciDrills.map((ciDrill): Listed => ({
  id: `ci-${ciDrill}`,
  title: drillTitles[ciDrill],
  expected: words.failsJob,
  expectation: 'retry',
  isAnonymous: true,
  rule: { match: { route: '/oauth/token', grantType: tokenExchangeGrant }, ciDrill, times: 1 },
}))

const inArea =
  (area: ExperimentArea) =>
  (experiment: Listed): Experiment => ({ ...experiment, area })

export const experiments: readonly Experiment[] = [
  ...ofSignIn.map(inArea('sign-in')),
  ...ofMcp.map(inArea('mcp')),
  ...ofCi.map(inArea('ci')),
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
