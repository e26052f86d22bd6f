import { describe, expect, test, vi } from 'vitest'
import { playFlows } from '../helpers/played-flows.ts'
import { Barrier } from '../../server/contract/control-faults.ts'
import { Har, RequestList } from '../../server/contract/control-requests.ts'
import { ClockReading } from '../../server/contract/control-clock.ts'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import { runSandbox } from '../../server/app/run-sandbox.ts'
import { controlFixtures, controlWorld, publicClient } from '../helpers/control.ts'

const world = controlWorld()
const { call, hub, read } = world

const requests = async (query = '') => (await read(RequestList, `requests${query}`)).items
const play = playFlows(world)
const authorize = () => play.authorize({ scope: 'profile' })

/** Until a barrier holds the one request. */
const untilHeld = (id: string) =>
  vi.waitUntil(async () => (await read(Barrier, `barriers/${id}`)).held.length === 1, 30_000)

describe('times of a request', () => {
  test('the log and the HAR file have the start of each request, in that order', async () => {
    await call('POST', 'clock', { frozen: true })
    const now = async () => (await read(ClockReading, 'clock')).now
    const held = await call<Barrier>('POST', 'barriers', {
      match: { route: '/api/whoami-v2' },
      count: 1,
    })
    const startedAt = await now()
    const slow = hub('GET', '/api/whoami-v2')
    await untilHeld(held.body.id)
    await call('POST', 'clock', { advance: '90s' })
    const between = await now()
    await hub('GET', '/oauth/jwks')
    await call('POST', 'clock', { advance: '10s' })
    await call('POST', `barriers/${held.body.id}/release`)
    await slow
    const endedAt = await now()
    const log = await requests()
    expect(log.map(({ path, at, endedAt: ended }) => [path, at, ended])).toEqual([
      ['/oauth/jwks', between, between],
      ['/api/whoami-v2', startedAt, endedAt],
    ])
    const har = (await read(Har, 'requests.har')).log.entries
    expect(har.map(({ startedDateTime, request }) => [request.url, startedDateTime])).toEqual([
      [expect.stringContaining('/api/whoami-v2'), startedAt],
      [expect.stringContaining('/oauth/jwks'), between],
    ])
    const [first] = har
    expect(first).toMatchObject({ time: log[1]?.durationMs, timings: { wait: log[1]?.durationMs } })
    expect(first?.time).toBeGreaterThan(0)
  })
})

describe('faults', () => {
  test.each([
    ['/api/whoami-v2', { token: 'hf_sandbox_none_at_all' }],
    ['/api/settings/webhooks', {}],
    ['/oauth/userinfo', { headers: { authorization: 'Basic x' } }],
    ['/api/jobs/alice', { headers: { cookie: 'token=x', 'sec-fetch-site': 'cross-site' } }],
  ])('apply before authentication: %s', async (route, options) => {
    const refused = (await hub('GET', route, options)).status
    expect([401, 403]).toContain(refused)
    await call('POST', 'faults', { match: { route }, times: 1, status: 503 })
    expect((await hub('GET', route, options)).status).toBe(503)
    expect((await hub('GET', route, options)).status).toBe(refused)
  })

  test.each([
    [{ status: 503 }, 'http_503'],
    [{ oauthError: 'temporarily_unavailable' }, 'temporarily_unavailable'],
    [{ status: 400, body: { error: 'slow' } }, 'slow'],
    [{ break: 'html' }, 'http_502'],
  ])('a refusal by the fault %j is logged as refused, with its error', async (effect, error) => {
    await call('POST', 'faults', { match: { route: '/oauth/jwks' }, ...effect })
    await hub('GET', '/oauth/jwks')
    const [refused] = await requests('?refused=1')
    expect(refused).toMatchObject({
      path: '/oauth/jwks',
      error,
      detail: expect.stringContaining(refused?.faultId ?? 'the rule'),
    })
  })

  test('a rule that only delays keeps the refusal of the hub', async () => {
    await call('POST', 'faults', { match: {}, delay: '1ms' })
    await hub('GET', '/api/settings/webhooks')
    const [refused] = await requests('?refused=1')
    expect(refused?.detail).not.toContain('Fault rule')
    expect(await hub('GET', '/oauth/jwks')).toMatchObject({ status: 200 })
    expect(await requests('?refused=1')).toHaveLength(1)
  })

  test.each([
    ['/api/whoami-v2*v2', 200],
    ['/api/whoami*whoami-v2', 200],
    ['/api/who*ami-v2', 503],
    ['/api/*whoami*-v2', 503],
    ['/api/whoami-v2*', 503],
    ['*2*2', 200],
  ])('no part of %s matches what another part has matched', async (route, status) => {
    await call('POST', 'faults', { match: { route }, status: 503 })
    expect((await play.whoami('hf_sandbox_alice')).status).toBe(status)
  })
})

describe('decisions made through the control API for a user', () => {
  test('an authorization is part of its flow', async () => {
    const code = await play.authorizedCode({ scope: 'profile' })
    expect((await play.exchangeCode(code)).status).toBe(200)
    const items = await play.flows()
    expect(items).toMatchObject([
      {
        kind: 'authorization-code',
        outcome: 'completed',
        user: { username: 'alice' },
        requests: [
          { method: 'GET', path: expect.stringMatching(/^\/oauth\/authorize\?/), status: 303 },
          { method: 'POST', path: '/oauth/token', status: 200 },
        ],
      },
    ])
    expect(JSON.stringify(items)).not.toContain(code)
  })

  test('a denied one is listed as refused', async () => {
    await call('POST', 'authorize', { user: 'alice', client_id: 'none' })
    const [refused] = await requests('?refused=1')
    expect(refused).toMatchObject({ path: '/oauth/authorize?client_id=none', status: 400 })
  })

  test('the decision for a device is part of its flow', async () => {
    await play.answerDevice((await play.startDevice()).userCode)
    const items = await play.flows()
    expect(items.map((flow) => flow.requests.map(({ path }) => path.split('?')[0]))).toEqual([
      ['/oauth/device', '/oauth/device/verify'],
    ])
  })

  test('faults and barriers apply', async () => {
    const match = { route: '/oauth/authorize', method: 'GET', clientId: publicClient }
    await call('POST', 'faults', { match, times: 1, oauthError: 'server_error' })
    expect(await authorize()).toMatchObject({ status: 500, body: { error: 'server_error' } })
    expect((await authorize()).status).toBe(200)
    const barrier = (await call<Barrier>('POST', 'barriers', { match, count: 1 })).body
    const held = authorize()
    await untilHeld(barrier.id)
    await call('POST', `barriers/${barrier.id}/release`)
    expect((await held).status).toBe(200)
  })

  test('nothing else of the control API is recorded or broken', async () => {
    await call('POST', 'faults', { match: {}, status: 503 })
    expect((await call('GET', 'sessions')).status).toBe(200)
    expect((await call('POST', 'sessions', { user: 'alice' })).status).toBe(200)
    expect(await requests()).toEqual([])
  })
})

test('stopping releases requests held by a barrier', async () => {
  const sandbox = await runSandbox(await resolveOptions({ fixtures: controlFixtures }))
  sandbox.deps.barriers.add({ match: { route: '/oauth/jwks' }, count: 2 })
  const held = [
    fetch(`${sandbox.url}/oauth/jwks`),
    sandbox.app.inject({ url: '/oauth/jwks', headers: { host: new URL(sandbox.url).host } }),
  ]
  await expect.poll(() => sandbox.deps.barriers.list()[0]?.held.length, { timeout: 30_000 }).toBe(2)
  const startedAt = performance.now()
  await sandbox.close()
  const [answered, injected] = await Promise.all(held)
  expect(answered).toMatchObject({ status: 200 })
  expect(injected).toMatchObject({ statusCode: 200 })
  // A stop that waits for what is held is ended by force after 5 s.
  expect(performance.now() - startedAt).toBeLessThan(4500)
})

describe('the size of the log', () => {
  const cutTo = (length: number, more: number) =>
    new RegExp(`^.{${length}}… \\(${more} more characters\\)$`)

  test('keeps 16 KiB of a URL and 4 KiB of a reason, and notes what was cut', async () => {
    const long = 'x'.repeat(12_000)
    await hub('GET', `/api/models?search=${long}${long}`)
    await hub('POST', '/oauth/device', { form: { client_id: long } })
    const [device, models] = await requests()
    expect(device?.detail?.length).toBeLessThan(4200)
    expect(device?.detail).toMatch(/… \(\d+ more characters\)\.$/)
    expect(models?.path).toMatch(cutTo(16_384, '/api/models?search='.length + 24_000 - 16_384))
  })

  test('every list has the number of kept and of all requests, and the time of the oldest', async () => {
    const options = await resolveOptions({
      port: 0,
      fixtures: { ...controlFixtures, config: { caps: { requests: 3 } } },
    })
    const sandbox = await runSandbox(options)
    try {
      const read = async (list: string) =>
        (await fetch(`${sandbox.url}/_sandbox/api/${list}`)).json() as Promise<RequestList>
      expect((await read('requests')).kept).toEqual({ requests: 0, received: 0 })
      for (let count = 0; count < 5; count += 1) await fetch(`${sandbox.url}/api/models`)
      const { items, kept } = await read('requests')
      expect(items).toHaveLength(3)
      expect(kept).toEqual({ requests: 3, received: 5, since: items.at(-1)?.at })
      expect((await read('flows')).kept).toEqual(kept)
    } finally {
      await sandbox.close()
    }
  })
})
