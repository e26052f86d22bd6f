import { describe, expect, test } from 'vitest'
import type { FaultItem } from '../../../server/contract/control-faults.ts'
import type { RequestItem } from '../../../server/contract/control-requests.ts'
import { experiments, ruleOf } from '../../../server/lab/experiments/experiments.ts'
import { judgeExperiment } from '../../../server/lab/experiments/judge-experiment.ts'
import type { Verdict } from '../../../server/contract/control-experiments.ts'

const app = { clientId: 'c1', name: 'App' }

/** A request of the judged app in its sign-in. */
function request(path: string, changes: Partial<RequestItem> = {}): RequestItem {
  return {
    id: path,
    at: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:00.000Z',
    method: 'GET',
    path,
    status: 200,
    durationMs: 1,
    flowId: 'f1',
    ...changes,
  }
}

const code = { method: 'POST', app, grantType: 'authorization_code' }
const tokenRequest = (changes: Partial<RequestItem> = {}) =>
  request('/oauth/token', { ...code, ...changes })
const hit = tokenRequest({ faultId: 'rule' })
const userinfo = request('/oauth/userinfo')
const authorize = request('/oauth/authorize?client_id=c1', { app, flowId: 'f2' })

/** @param sent requests in the order in which they were sent */
function judge(
  expectation: Parameters<typeof judgeExperiment>[0]['expectation'],
  sent: readonly RequestItem[],
  { isOver = true, hits = 1 } = {},
): Verdict {
  const requests = sent.toReversed()
  return judgeExperiment({ expectation }, { fault: { id: 'rule', hits }, requests, isOver })
}

test('an experiment waits for the app, whatever was recorded before', () => {
  const verdict = judge('refuse-token', [tokenRequest(), userinfo], { hits: 0 })
  expect(verdict.state).toBe('armed')
})

test('a request that the log has dropped gives no verdict, one under way is awaited', () => {
  expect(judge('wait', [userinfo]).state).toBe('unclear')
  expect(judge('wait', [], { isOver: false }).state).toBe('watching')
})

test('the next sign-in of the same app is no reaction', () => {
  const next = tokenRequest({ flowId: 'f2' })
  expect(judge('retry', [hit, next]).text).toBe('Your app stopped: no token request followed.')
  const tomorrow = { ...authorize, at: '2026-01-02T00:00:00.000Z' }
  expect(judge('sign-in-again', [hit, tomorrow]).state).toBe('unclear')
})

describe('a wrong ID token', () => {
  test('is refused by an app that uses no token afterwards', () => {
    const jwks = request('/oauth/jwks', { flowId: undefined as never })
    expect(judge('refuse-token', [userinfo, hit, jwks], { isOver: false }).state).toBe('watching')
    expect(judge('refuse-token', [userinfo, hit, jwks])).toMatchObject({
      state: 'passed',
      text: 'Your app refused it: no request followed with this token.',
      flowId: 'f1',
    })
  })

  test('is accepted by an app that uses a token, which is known at once', () => {
    expect(judge('refuse-token', [hit, userinfo], { isOver: false })).toMatchObject({
      state: 'failed',
      text: 'Your app accepted it: it sent GET /oauth/userinfo with the token.',
    })
    expect(judge('refuse-token', [hit, request('/api/whoami-v2')]).state).toBe('failed')
  })

  test('is not accepted by the token of another sign-in, nor by the login page', () => {
    const others = [
      request('/oauth/userinfo', { app, flowId: 'f2' }),
      request('/login?next=%2F'),
      authorize,
    ]
    expect(judge('refuse-token', [hit, ...others]).state).toBe('passed')
  })
})

describe('a slow response', () => {
  test('is waited for by an app that uses its token', () => {
    expect(judge('wait', [hit, userinfo], { isOver: false }).state).toBe('passed')
    expect(judge('wait', [hit]).state).toBe('unclear')
  })

  test('fails an app that closes the connection', () => {
    const cut = { ...hit, status: 0 }
    expect(judge('wait', [cut], { isOver: false }).state).toBe('failed')
  })
})

describe('an unavailable token endpoint', () => {
  const retry = (status: number) => tokenRequest({ status })

  test('passes an app that recovers, starts again or stops', () => {
    expect(judge('retry', [hit, retry(200)], { isOver: false }).state).toBe('passed')
    expect(judge('retry', [hit, authorize], { isOver: false }).state).toBe('passed')
    expect(judge('retry', [hit], { isOver: false }).state).toBe('watching')
    expect(judge('retry', [hit]).state).toBe('passed')
  })

  test('fails an app that retries without end', () => {
    const retries = Array.from({ length: 4 }, () => retry(503))
    expect(judge('retry', [hit, ...retries], { isOver: false }).state).toBe('failed')
    expect(judge('retry', [hit, ...retries.slice(1)]).state).toBe('passed')
  })
})

describe('a refused token', () => {
  const refresh = { ...code, grantType: 'refresh_token' }
  const refused = request('/oauth/token', { ...refresh, faultId: 'rule' })

  test('passes an app that asks the user to sign in', () => {
    expect(judge('sign-in-again', [refused, authorize], { isOver: false }).state).toBe('passed')
  })

  test('fails an app that repeats its request first', () => {
    const repeated = request('/oauth/token', refresh)
    expect(judge('sign-in-again', [refused, repeated, authorize])).toMatchObject({
      state: 'failed',
      text: 'Your app repeated POST /oauth/token after the refusal.',
    })
  })

  test('at userinfo passes an app that stops using it', () => {
    const revoked = { ...userinfo, app, faultId: 'rule' }
    expect(judge('drop-token', [revoked], { isOver: false }).state).toBe('watching')
    expect(judge('drop-token', [revoked])).toMatchObject({
      state: 'passed',
      text: 'Your app stopped using the token.',
    })
    expect(judge('drop-token', [revoked, authorize]).state).toBe('passed')
    expect(judge('drop-token', [revoked, request('/api/whoami-v2')])).toMatchObject({
      state: 'failed',
      text: 'Your app accepted it: it sent GET /api/whoami-v2 with the token.',
    })
  })

  test('at userinfo passes an app that refreshes', () => {
    const revoked = { ...userinfo, app, faultId: 'rule' }
    const refreshed = request('/oauth/token', refresh)
    expect(judge('drop-token', [revoked, refreshed, userinfo]).state).toBe('passed')
    expect(judge('drop-token', [revoked, userinfo]).state).toBe('failed')
  })

  test('tells nothing of an app that stops, or of another app', () => {
    const stranger = request('/oauth/authorize', {
      app: { clientId: 'c2', name: 'Other' },
      flowId: 'f3',
    })
    expect(judge('sign-in-again', [refused, stranger]).state).toBe('unclear')
  })
})

test('each experiment has its own rule, which is recognized among those of the sandbox', () => {
  const faults = experiments.map(({ id, rule }): FaultItem => {
    const reversed = Object.fromEntries(Object.entries(rule).toReversed())
    return { id, hits: 0, matches: 0, createdAt: '', ...reversed, match: rule.match }
  })
  for (const experiment of experiments) {
    expect(ruleOf(experiment, faults)?.id).toBe(experiment.id)
    expect(ruleOf(experiment, [])).toBeUndefined()
  }
})

describe('a wrong authorization response', () => {
  const back = request('/oauth/authorize?client_id=c1', { app, faultId: 'rule', status: 303 })

  test('is refused by an app that sends no token request for it', () => {
    expect(judge('refuse-response', [back]).state).toBe('passed')
    const next = tokenRequest({ flowId: 'f2' })
    expect(judge('refuse-response', [back, next]).state).toBe('passed')
    expect(judge('refuse-response', [back, tokenRequest()])).toMatchObject({
      state: 'failed',
      text: 'Your app accepted it: it sent POST /oauth/token with the code.',
    })
  })
})

describe('an MCP client', () => {
  const nameless = (path: string, changes: Partial<RequestItem> = {}) => {
    const { flowId: _flowId, ...rest } = request(path, changes)
    return rest
  }
  const metadata = nameless('/.well-known/oauth-protected-resource/mcp', { faultId: 'rule' })

  test('leaves a server that the metadata no longer names', () => {
    expect(judge('leave', [metadata, nameless('/oauth/register')]).state).toBe('passed')
    expect(judge('leave', [metadata, authorize])).toMatchObject({
      state: 'failed',
      text: 'Your client ignored the metadata: it sent GET /oauth/authorize.',
    })
  })

  test('asks for the scope that a call lacks', () => {
    const call = nameless('/mcp', { method: 'POST', faultId: 'rule', app })
    const asked = (scope: string) => request(`/oauth/authorize?client_id=c1&${scope}`, { app })
    const scope = 'scope=read-mcp%20write-discussions'
    expect(judge('step-up', [call, asked(scope)]).state).toBe('passed')
    expect(judge('step-up', [call, asked('scope=read-mcp')]).state).toBe('failed')
    expect(judge('step-up', [call]).state).toBe('unclear')
  })

  test('registers no more than a few times', () => {
    const register = nameless('/oauth/register', { method: 'POST' })
    const closed = { ...register, faultId: 'rule' }
    expect(judge('register-once', [closed]).state).toBe('passed')
    expect(judge('register-once', [closed, authorize]).state).toBe('passed')
    expect(judge('register-once', [closed, register, register, register, register])).toMatchObject({
      state: 'failed',
      text: 'Your client tried to register 4 more times.',
    })
  })
})

test('a CI job whose ID token is refused may exchange a new one', () => {
  const exchange = (flowId: string, changes: Partial<RequestItem> = {}) =>
    request('/oauth/token', { method: 'POST', grantType: 'exchange', flowId, ...changes })
  const refused = exchange('f1', { faultId: 'rule', status: 400 })
  expect(judge('retry', [refused]).text).toBe('Your app stopped: no token request followed.')
  expect(judge('retry', [refused, exchange('f2')]).text).toBe(
    'Your app retried and got its tokens.',
  )
  const many = ['f2', 'f3', 'f4', 'f5'].map((flow) => exchange(flow, { status: 400 }))
  expect(judge('retry', [refused, ...many]).state).toBe('failed')
})
