import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { rules } from '../../server/advice/catalog.ts'
import { Advice, AdviceRuleList } from '../../server/contract/control-advice.ts'
import type { RequestList } from '../../server/contract/control-requests.ts'
import { playFlows } from '../helpers/played-flows.ts'
import {
  controlWorld,
  expectRefusal,
  expectShape,
  publicClient,
  secretClient,
} from '../helpers/control.ts'

const world = controlWorld()
const { call, hub } = world
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const secret = 'sandbox_first_secret'
const redirectUri = 'http://localhost/callback'

interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
}

/** Ids and levels of all findings. */
async function found(): Promise<string[]> {
  const { body } = await call<Advice>('GET', 'advice')
  expectShape(Advice, body)
  return body.items.map(({ rule, level }) => `${level} ${rule}`).toSorted()
}

async function judged(rule: string): Promise<number | undefined> {
  const { body } = await call<Advice>('GET', 'advice')
  return body.rules.find(({ id }) => id === rule)?.judged
}

async function authorize(parameters: Record<string, string>): Promise<string> {
  const { body } = await call<{ redirectTo: string }>('POST', 'authorize', {
    user: 'alice',
    client_id: secretClient,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    ...parameters,
  })
  return new URL(body.redirectTo).searchParams.get('code') ?? ''
}

const redeem = (code: string, more: Record<string, string> = {}) =>
  hub<Tokens>('POST', '/oauth/token', {
    form: {
      grant_type: 'authorization_code',
      client_id: secretClient,
      client_secret: secret,
      code,
      redirect_uri: redirectUri,
      ...more,
    },
  })

const challengeOf = (verifier: string) => ({
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})

let count = 0
/** A value that no other sign-in has. */
const fresh = () => `value-${++count}-${'x7Kq'.repeat(11)}`

async function signIn(parameters: Record<string, string> = { state: fresh(), nonce: fresh() }) {
  return (await redeem(await authorize(parameters))).body
}

async function signInWithPkce(verifier = fresh(), more: Record<string, string> = {}) {
  const code = await authorize({ ...challengeOf(verifier), ...more })
  return redeem(code, { code_verifier: verifier })
}

const refresh = (token: string) =>
  hub<Tokens & { error?: string }>('POST', '/oauth/token', {
    form: {
      grant_type: 'refresh_token',
      client_id: secretClient,
      client_secret: secret,
      refresh_token: token,
    },
  })

const whoami = (token: string, path = '/api/whoami-v2') =>
  hub('GET', path, { headers: { authorization: `Bearer ${token}` } })

async function startDevice() {
  const form = { client_id: publicClient, scope: 'openid' }
  const { body } = await hub<{ device_code: string; user_code: string }>('POST', '/oauth/device', {
    form,
  })
  const poll = () =>
    hub<{ error?: string }>('POST', '/oauth/token', {
      form: { grant_type: deviceGrant, client_id: publicClient, device_code: body.device_code },
    })
  return { ...body, poll }
}

const wait = (duration: string) => call('POST', 'clock', { advance: duration })

describe('a well-behaved app', () => {
  test('has no finding, and its rules had something to judge', async () => {
    const { body } = await signInWithPkce(fresh(), { state: fresh(), nonce: fresh() })
    await signInWithPkce(fresh(), { state: fresh(), nonce: fresh() })
    await whoami(body.access_token)
    const refreshed = await refresh(body.refresh_token)
    await refresh(refreshed.body.refresh_token)
    expect(await found()).toEqual([])
    for (const rule of [
      'sign-in/no-code-binding',
      'sign-in/state-reused',
      'sign-in/known-verifier',
      'sign-in/code-redeemed-twice',
      'token/refresh-race',
      'token/dead-bearer',
      'token/id-token-as-bearer',
    ]) {
      expect([rule, await judged(rule)]).not.toEqual([rule, 0])
    }
  })

  test('that signs in by the pages is judged like any other', async () => {
    await playFlows(world).signIn()
    // These flows use the example of the RFC.
    expect(await found()).toEqual(['error sign-in/known-verifier'])
    expect(await judged('sign-in/no-csrf-protection')).toBe(1)
  })

  test('is not judged without traffic', async () => {
    const { body } = await call<Advice>('GET', 'advice')
    expect(body.items).toEqual([])
    expect(body.rules.map(({ judged: number }) => number)).toEqual(rules.map(() => 0))
  })

  test('has no finding for what the sandbox itself plays', async () => {
    const demo = await call<{ id: string }>('POST', 'demos', { kind: 'sign-in' })
    expect(demo.status).toBe(201)
    for (let step = 0; step < 12; step++) await call('POST', `demos/${demo.body.id}/next`, {})
    expect(await judged('sign-in/no-code-binding')).toBe(0)
  })
})

describe('sign-in', () => {
  test('without PKCE, nonce and state reports both missing bindings', async () => {
    await signIn({})
    expect(await found()).toEqual([
      'error sign-in/no-code-binding',
      'error sign-in/no-csrf-protection',
    ])
  })

  test('with a state alone lacks the binding of the code only', async () => {
    await signIn({ state: fresh() })
    expect(await found()).toEqual(['error sign-in/no-code-binding'])
  })

  test('that was never completed is not judged', async () => {
    await authorize({})
    expect(await found()).toEqual([])
    expect(await judged('sign-in/no-code-binding')).toBe(0)
  })

  test('that a fault changed is not judged', async () => {
    await call('POST', 'faults', { match: { route: '/oauth/token' }, delay: '1ms' })
    await signIn({})
    expect(await found()).toEqual([])
  })

  test('with the state of another one is an error, and with PKCE a warning', async () => {
    for (let times = 0; times < 2; times++) await signIn({ state: 'constant', nonce: fresh() })
    expect(await found()).toEqual(['error sign-in/state-reused'])
    world.sandbox.deps.reset()
    for (let times = 0; times < 2; times++) await signInWithPkce(fresh(), { state: 'constant' })
    expect(await found()).toEqual(['warning sign-in/state-reused'])
  })

  test('that is abandoned and repeated by the Back button reuses nothing', async () => {
    const parameters = { state: fresh(), nonce: fresh() }
    await authorize(parameters)
    await signIn(parameters)
    expect(await found()).toEqual([])
  })

  test('with the challenge or the nonce of another one reuses it', async () => {
    const verifier = fresh()
    for (let times = 0; times < 2; times++) await signInWithPkce(verifier, { state: fresh() })
    expect(await found()).toEqual(['error sign-in/challenge-reused'])
    world.sandbox.deps.reset()
    for (let times = 0; times < 2; times++) await signIn({ state: fresh(), nonce: 'constant' })
    expect(await found()).toEqual(['warning sign-in/nonce-reused'])
  })

  test.each([
    ['the example of the RFC', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', {}],
    ['one letter', 'a'.repeat(43), {}],
    ['the state', 'b7'.repeat(30), { state: 'b7'.repeat(30) }],
  ])('with %s as verifier has a verifier that can be guessed', async (_what, verifier, more) => {
    await signInWithPkce(verifier, more)
    expect(await found()).toEqual(['error sign-in/known-verifier'])
  })

  test('whose code is sent twice says so', async () => {
    const code = await authorize({ state: fresh(), nonce: fresh() })
    await redeem(code)
    expect(await found()).toEqual([])
    expect((await redeem(code)).status).toBe(400)
    expect(await found()).toEqual(['error sign-in/code-redeemed-twice'])
  })
})

test('a request that was sent again by hand is not the app', async () => {
  const code = await authorize({ state: fresh(), nonce: fresh() })
  await redeem(code)
  const { body } = await call<RequestList>('GET', 'requests?path=/oauth/token')
  const again = await call('POST', `requests/${body.items[0]?.id}/resend`)
  expect(again.status).toBe(200)
  expect(await found()).toEqual([])
})

describe('tokens', () => {
  test('in the query of a URL are reported with the name of the parameter', async () => {
    const { access_token: token } = await signIn()
    await hub('GET', `/api/models?limit=1&sort=likes`)
    expect(await found()).toEqual([])
    await hub('GET', `/api/models?auth=${token}`)
    expect(await found()).toEqual(['error token/secret-in-url'])
    const { body } = await call<Advice>('GET', 'advice')
    expect(body.items[0]?.evidence[0]?.note).toBe('has auth in its query')
    expect(JSON.stringify(body)).not.toContain(token)
  })

  test('for the app alone are no access tokens', async () => {
    const { id_token: idToken, access_token: token } = await signIn()
    await whoami(token)
    expect(await found()).toEqual([])
    await whoami(idToken)
    expect(await found()).toEqual(['error token/id-token-as-bearer'])
  })

  test('that are refreshed at once are a race', async () => {
    const { refresh_token: token } = await signIn()
    const { body } = await call<{ id: string }>('POST', 'barriers', {
      match: { route: '/oauth/token' },
      count: 2,
    })
    const both = Promise.all([refresh(token), refresh(token)])
    await vi.waitFor(async () => {
      const held = (await call<{ held: string[] }>('GET', `barriers/${body.id}`)).body.held
      expect(held).toHaveLength(2)
    })
    await call('POST', `barriers/${body.id}/release`)
    await both
    expect(await found()).toEqual(['error token/refresh-race'])
  })

  test('that were replaced and are refreshed later were not stored', async () => {
    const { refresh_token: token } = await signIn()
    await refresh(token)
    expect(await found()).toEqual([])
    await refresh(token)
    expect(await found()).toEqual(['error token/refresh-not-stored'])
  })

  test('whose refresh is refused again and again', async () => {
    for (let times = 0; times < 2; times++) await refresh('unknown')
    expect(await found()).toEqual([])
    await refresh('unknown')
    expect(await found()).toEqual(['error token/refresh-after-refusal'])
  })

  test('that have expired may be sent by one page at once, but not on and on', async () => {
    const { access_token: token } = await signIn()
    await wait('30d')
    for (let times = 0; times < 3; times++) await whoami(token)
    expect(await found()).toEqual([])
    await whoami(token, '/api/models?limit=1')
    await whoami(token, '/oauth/userinfo')
    expect(await found()).toEqual(['warning token/dead-bearer'])
    for (let times = 0; times < 6; times++) await whoami(token)
    expect(await found()).toEqual(['error token/dead-bearer'])
  })
})

describe('device sign-in', () => {
  test('that waits as told is silent', async () => {
    const { poll, user_code: userCode } = await startDevice()
    for (let times = 0; times < 3; times++) {
      await wait('5s')
      await poll()
    }
    await call('POST', `device/${userCode}`, { user: 'alice', decision: 'approve' })
    await wait('5s')
    await poll()
    expect(await found()).toEqual([])
    expect(await judged('device/too-fast')).toBe(1)
  })

  test('that polls at once ignores interval and slow_down', async () => {
    const { poll } = await startDevice()
    for (let times = 0; times < 3; times++) await poll()
    expect(await found()).toContain('error device/ignores-slow-down')
  })

  test('that slows down after slow_down is silent', async () => {
    const { poll } = await startDevice()
    await poll()
    expect((await poll()).body.error).toBe('slow_down')
    await wait('10s')
    await poll()
    expect(await found()).toEqual([])
  })

  test('that was denied ends the polls', async () => {
    const { poll, user_code: userCode } = await startDevice()
    await call('POST', `device/${userCode}`, { user: 'alice', decision: 'deny' })
    await poll()
    expect(await found()).toEqual([])
    await wait('10s')
    await poll()
    expect(await found()).toEqual(['error device/polls-on'])
  })
})

describe('calls', () => {
  const limited = (times: number) =>
    call('POST', 'faults', {
      match: { route: '/api/models' },
      status: 429,
      headers: { 'retry-after': '3' },
      times,
    })

  test('before the time of Retry-After are reported from the second on', async () => {
    expect((await limited(5)).status).toBe(201)
    await hub('GET', '/api/models')
    await hub('GET', '/api/models')
    expect(await found()).toEqual([])
    await hub('GET', '/api/models')
    expect(await found()).toEqual(['warning api/retry-after-ignored'])
  })

  test('after that time, and of other routes, are silent', async () => {
    await limited(5)
    for (let times = 0; times < 4; times++) {
      await hub('GET', '/api/models')
      await hub('GET', '/api/datasets')
      await wait('3s')
    }
    expect(await found()).toEqual([])
    expect(await judged('api/retry-after-ignored')).toBe(3)
  })

  test('of what the sandbox lacks say nothing about the hub', async () => {
    await hub('GET', '/api/models')
    expect(await found()).toEqual([])
    await hub('GET', '/api/daily_papers')
    await hub('GET', '/api/daily_papers')
    const { body } = await call<Advice>('GET', 'advice')
    expect(body.items).toMatchObject([{ rule: 'portability/not-emulated', count: 2 }])
  })

  test('with a token of the real hub are reported, and with a known or made-up one are not', async () => {
    await whoami('hf_sandbox_alice')
    await whoami(`hf_${'x'.repeat(34)}`)
    expect(await found()).toEqual([])
    const token = `hf_${'aB3dE5fG7h'.repeat(4).slice(0, 34)}`
    await whoami(token)
    expect(await found()).toEqual(['error portability/real-token'])
    expect(JSON.stringify((await call('GET', 'advice')).body)).not.toContain(token)
  })
})

describe('findings', () => {
  test('have the same id in every run, and name the app', async () => {
    const read = async () => {
      await signIn({ state: fresh() })
      const { body } = await call<Advice>('GET', 'advice')
      expect(body.items[0]?.app?.clientId).toBe(secretClient)
      return body.items.map(({ id }) => id)
    }
    const first = await read()
    world.sandbox.deps.reset()
    expect(await read()).toEqual(first)
    expect(first[0]).toMatch(/^[0-9a-f]{16}$/)
  })

  test('can be filtered by app, level and rule', async () => {
    await signIn({})
    const count = async (query: string) =>
      (await call<Advice>('GET', `advice?${query}`)).body.items.length
    expect(await count(`clientId=${secretClient}`)).toBe(2)
    expect(await count(`clientId=${publicClient}`)).toBe(0)
    expect(await count('level=error')).toBe(2)
    expect(await count('rule=sign-in/no-code-binding')).toBe(1)
    expectRefusal(await call('GET', 'advice?rule=sign-in/no-code'), {
      status: 404,
      error: 'not_found',
    })
  })

  test('end with a reset', async () => {
    await signIn({})
    await call('POST', 'reset')
    expect(await found()).toEqual([])
  })
})

test('the rules are listed, each with a fix and a source', async () => {
  const { body } = await call<AdviceRuleList>('GET', 'advice/rules')
  expectShape(AdviceRuleList, body)
  expect(body.items.map(({ id }) => id)).toEqual(rules.map(({ id }) => id))
  expect(new Set(body.items.map(({ id }) => id)).size).toBe(rules.length)
  for (const { sources } of body.items) expect(sources.length).toBeGreaterThan(0)
})
