import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import type { Advice } from '../../server/contract/control-advice.ts'
import { runSandbox } from '../../server/app/run-sandbox.ts'
import { adviceWorld, fresh } from '../helpers/advice.ts'
import { controlFixtures, expectRefusal } from '../helpers/control.ts'

const requests = 20
const { call, hub, advice, found, judged, signIn, signInPlainly } = adviceWorld({
  fixtures: { ...controlFixtures, config: { caps: { requests } } },
})

const rule = 'token/secret-in-url'
const mistake = (more = '') => hub('GET', `/api/models?client_secret=x${more}`)

/** Requests that replace the whole log. */
async function replaceLog(): Promise<void> {
  for (let sent = 0; sent < requests * 2; sent++) await hub('GET', '/api/models?limit=1')
}

const facts = async () => {
  const { body } = await call<{ items: { type: string; data: unknown }[] }>('GET', 'facts')
  return body.items.filter(({ type }) => type === 'advice.found').map(({ data }) => data)
}

const finding = async () => (await advice()).items.find((item) => item.rule === rule)

describe('a finding', () => {
  test('stays with its evidence when the log has dropped the request, read or not', async () => {
    await mistake()
    const before = await finding()
    await replaceLog()
    expect(await finding()).toEqual(before)
    expect(before?.evidence[0]?.line).toContain('GET /api/models?client_secret=')
  })

  test('is made while nobody reads the checks', async () => {
    await mistake()
    await vi.waitFor(
      async () => expect(await facts()).toMatchObject([{ rule, level: 'error' }]),
      5000,
    )
    await replaceLog()
    expect(await found()).toEqual([`error ${rule}`])
  })

  test('counts occurrences that are gone, and keeps the first and the two newest', async () => {
    await mistake('&n=1')
    await mistake('&n=2')
    await advice()
    await replaceLog()
    expect((await finding())?.count).toBe(2)
    for (const n of [3, 4, 5]) await mistake(`&n=${n}`)
    const { count, evidence } = (await finding())!
    expect(count).toBe(5)
    const parameters = evidence.map((entry) => entry.parameters?.find(({ name }) => name === 'n'))
    expect(parameters.map((one) => one?.value)).toEqual(['1', '4', '5'])
  })

  test('ends where the record shows that it was none', async () => {
    await signInPlainly({ state: fresh() })
    const first = await found()
    expect(first).toContain('error sign-in/no-code-binding')
    await call('POST', 'reset')
    expect(await found()).toEqual([])
  })

  test('shows at most 4 KiB of each request', async () => {
    const many = Array.from({ length: 30 }, (_none, n) => `&p${n}=${'x'.repeat(400)}`).join('')
    await mistake(many)
    for (const entry of (await finding())!.evidence) {
      expect(JSON.stringify(entry).length).toBeLessThanOrEqual(4200)
      expect(entry.parameters?.[0]).toMatchObject({ name: 'client_secret', marked: true })
    }
  })

  test('is announced once', async () => {
    await mistake()
    await advice()
    await mistake()
    const { items } = await advice()
    expect(await facts()).toEqual([{ findingId: items[0]?.id, rule, level: 'error' }])
  })
})

describe('findings are read', () => {
  test('from a time on', async () => {
    await mistake()
    const { now } = (await call<{ now: string }>('POST', 'clock', { advance: '1h' })).body
    const since = async () =>
      (await call<Advice>('GET', `advice?since=${now}`)).body.items.map((item) => item.rule)
    expect(await since()).toEqual([])
    await mistake()
    expect(await since()).toEqual([rule])
  })

  test('after a cursor', async () => {
    await mistake()
    const { cursor } = await advice()
    const after = async (text: string) =>
      (await call<Advice>('GET', `advice?cursor=${text}`)).body.items.map((item) => item.rule)
    expect(await after(cursor)).toEqual([])
    await mistake()
    expect(await after(cursor)).toEqual([rule])
    // Of a run before a restart.
    expect(await after('999999')).toEqual([rule])
    expectRefusal(await call('GET', 'advice?cursor=x'), { status: 400, error: 'invalid_request' })
  })
})

test('a good sign-in that the log has half dropped is not judged', async () => {
  await signIn()
  await replaceLog()
  await signIn()
  expect(await found()).toEqual([])
  expect(await judged('sign-in/no-code-binding')).toBeGreaterThan(0)
})

test('findings are kept before the first request of the control API', async () => {
  const running = await runSandbox(await resolveOptions({ ephemeral: true, port: 0 }))
  onTestFinished(() => running.close())
  const get = async (path: string) => (await fetch(running.url + path)).json()
  await get('/api/models?client_secret=x')
  const { caps } = running.deps.settings
  for (let sent = 0; sent < caps.requests; sent++) await get('/api/models?limit=1')
  expect(running.deps.requests.values().some(({ url }) => url.includes('client_secret'))).toBe(
    false,
  )
  const { items } = (await get('/_sandbox/api/advice')) as Advice
  expect(items.map((item) => item.rule)).toEqual([rule])
})
