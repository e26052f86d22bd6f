import { describe, expect, test } from 'vitest'
import { rules } from '../../server/lab/checks/check-catalog.ts'
import { type Advice, AdviceRuleList } from '../../server/contract/control-advice.ts'
import type { AuditModuleList } from '../../server/contract/control-audits.ts'
import { adviceWorld, fresh } from '../helpers/advice.ts'
import { expectNotFound, expectShape, publicClient, secretClient } from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'

const {
  world,
  call,
  hub,
  advice,
  found,
  judged,
  authorize,
  signIn,
  signInPlainly,
  refresh,
  whoami,
} = adviceWorld()

describe('a well-behaved app', () => {
  test('has no finding, and its rules had something to judge', async () => {
    await signIn({ nonce: fresh() })
    const body = await signIn({ nonce: fresh() })
    await whoami(body.access_token)
    const refreshed = await refresh(body.refresh_token)
    await refresh(refreshed.body.refresh_token)
    expect(await found()).toEqual([])
    for (const rule of ['sign-in/no-code-binding', 'token/refresh-race', 'token/dead-bearer']) {
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
    const body = await advice()
    expect(body.items).toEqual([])
    expect(body.rules.map(({ judged: number }) => number)).toEqual(rules.map(() => 0))
  })
})

describe('what the sandbox itself plays', () => {
  test('has no finding', async () => {
    const demo = await call<{ id: string }>('POST', 'demos', { kind: 'sign-in' })
    expect(demo.status).toBe(201)
    for (let step = 0; step < 12; step++) await call('POST', `demos/${demo.body.id}/next`, {})
    expect(await judged('sign-in/no-code-binding')).toBe(0)
  })

  test('hides no request of a real app in its sign-in', async () => {
    const demo = await call<{ id: string }>('POST', 'demos', { kind: 'sign-in' })
    for (let step = 0; step < 12; step++) await call('POST', `demos/${demo.body.id}/next`, {})
    const token = [...world.sandbox.deps.state.tokens.values()].at(-1)?.token ?? ''
    await hub('GET', `/api/models?auth=${token}`, { headers: { authorization: `Bearer ${token}` } })
    expect(await found()).toEqual(['error token/secret-in-url'])
  })
})

describe('findings', () => {
  test('show no secret, and name the parameter', async () => {
    const { access_token: token } = await signIn()
    await hub('GET', `/api/models?auth=${token}`)
    const body = await advice()
    expect(body.items[0]?.evidence[0]?.note).toBe('has auth in its query')
    expect(JSON.stringify(body)).not.toContain(token)
  })

  test('of one mistake with many repos are one', async () => {
    for (const name of ['one', 'two', 'three']) {
      await hub('GET', `/api/models/acme/${name}?access_token=x`)
      await hub('GET', `/api/models/acme/${name}/lfs-verify-everything/7`)
    }
    const { items } = await advice()
    expect(items.map(({ rule, count }) => [rule, count])).toEqual([
      ['token/secret-in-url', 3],
      ['portability/not-emulated', 3],
    ])
  })

  test('show no code of a Referer, under any name of its parameter', async () => {
    const code = await authorize({ state: fresh() })
    const headers = { referer: `http://localhost/welcome?ticket=${code}` }
    await hub('GET', '/api/models', { headers })
    const body = await advice()
    expect(body.items[0]?.evidence[0]?.line).toBe('GET /api/models 200')
    expect(JSON.stringify(body)).not.toContain(code)
  })

  test('have the same id in every run, and name the app', async () => {
    const read = async () => {
      await signInPlainly({ state: fresh() })
      const body = await advice()
      expect(body.items[0]?.app?.clientId).toBe(secretClient)
      return body.items.map(({ id }) => id)
    }
    const first = await read()
    world.sandbox.deps.reset()
    expect(await read()).toEqual(first)
    expect(first[0]).toMatch(/^[0-9a-f]{16}$/)
  })

  test('can be filtered by app, level and rule', async () => {
    await signInPlainly({})
    const count = async (query: string) =>
      (await call<Advice>('GET', `advice?${query}`)).body.items.length
    expect(await count(`clientId=${secretClient}`)).toBe(2)
    expect(await count(`clientId=${publicClient}`)).toBe(0)
    expect(await count('level=error')).toBe(2)
    expect(await count('rule=sign-in/no-code-binding')).toBe(1)
    expectNotFound(await call('GET', 'advice?rule=sign-in/no-code'))
  })

  test('end with a reset', async () => {
    await signInPlainly({})
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
  // A pattern may be wrong, so it is no error.
  const likely = body.items.filter(({ certainty }) => certainty === 'likely')
  expect(likely.filter(({ level }) => level === 'error')).toEqual([])
  // One page and one explanation for each name.
  const { body: audits } = await call<AuditModuleList>('GET', 'audits/modules')
  const ids = [...body.items, ...audits.items].map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})
