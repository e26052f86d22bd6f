import { webhookAt, serve } from '../helpers/json-receiver.ts'
import { expect, test } from 'vitest'
import { ClockPreview, ClockReading } from '../../server/contract/control-clock.ts'
import { DeliveryList } from '../../server/contract/control-deliveries.ts'
import { moveClock } from '../../server/lab/clock/move-clock.ts'
import { expectInvalid, controlWorld } from '../helpers/control.ts'

const world = controlWorld()
const { call, read } = world
const sandbox = () => world.sandbox

const move = (body: object) => call<ClockReading>('POST', 'clock', body)

test('reads, freezes, sets, advances and resumes', async () => {
  const body = await read(ClockReading, 'clock')
  expect(body).toMatchObject({ frozen: false, offsetMs: 0 })
  expect((await move({ frozen: true })).body.frozen).toBe(true)
  expect((await move({ set: '2030-01-01T00:00:00Z' })).body.now).toBe('2030-01-01T00:00:00.000Z')
  expect((await move({ advance: '1h30m' })).body.now).toBe('2030-01-01T01:30:00.000Z')
  const resumed = await move({ frozen: false })
  expect(resumed.body).toMatchObject({ frozen: false })
  expect(resumed.body.now).toMatch(/^2030-01-01T01:30:/)
  expect(resumed.body.offsetMs).toBeGreaterThan(0)
})

test.each([
  [{}, ['']],
  [{ advance: '8 hours' }, ['advance']],
  [{ advance: '100000000d' }, ['advance']],
  [{ advance: `${'9'.repeat(400)}d` }, ['advance']],
  [{ set: 'tomorrow' }, ['set']],
  [{ set: '1969-12-31T23:59:59Z' }, ['set']],
  [{ advance: '1s', frozen: true }, ['']],
  [{ untilIdle: false }, ['untilIdle']],
  [{ forward: '1s' }, ['forward']],
])('refuses %j', async (body, paths) => {
  expectInvalid(await move(body), paths)
})

test('a preview lists what expires and which retries become due, and moves nothing', async () => {
  await call('POST', 'reset')
  const preview = (query: string) => read(ClockPreview, `clock/preview?${query}`)
  await move({ frozen: true })
  const url = await serve((_request, response) => response.writeHead(503).end())
  await call('POST', 'webhooks', webhookAt(url))
  await call('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  await expect
    .poll(async () => (await read(DeliveryList, 'deliveries')).items[0]?.state)
    .toBe('waiting')
  await call('POST', 'tokens', { user: 'alice', expiresIn: 3600 })
  const { now } = await read(ClockReading, 'clock')

  expect(await preview('advance=1s')).toMatchObject({ effects: [] })
  const [retry] = (await preview('advance=5m')).effects
  expect(retry).toBe(`1 retry of a delivery falls due: ${new URL(url).host}.`)
  const later = await preview('advance=2h')
  expect(later).toEqual({
    now: new Date(Date.parse(now) + 7_200_000).toISOString(),
    effects: [expect.stringMatching(/^1 access token expires: alice at /), retry],
  })
  expect(await preview(`set=${later.now}`)).toEqual(later)
  expect((await preview('set=2001-01-01T00:00:00Z')).effects).toEqual([])
  expect(await read(ClockReading, 'clock')).toMatchObject({ now })

  for (const [query, path] of [
    ['', ''],
    ['advance=soon', 'advance'],
    ['advance=100000000d', 'advance'],
    ['set=tomorrow', 'set'],
    ['advance=1s&set=2030-01-01T00:00:00Z', ''],
  ] as const) {
    expectInvalid(await call('GET', `clock/preview?${query}`), [path])
  }
  await call('POST', 'reset')
})

test('untilIdle moves the clock from one due retry to the next', async () => {
  const url = await serve((_request, response) => response.writeHead(503).end())
  await call('POST', 'webhooks', webhookAt(url))
  await call('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  const before = await read(ClockReading, 'clock')
  const after = await move({ untilIdle: true })
  const { items } = await read(DeliveryList, 'deliveries')
  expect(items.map(({ state, attempts }) => [state, attempts.length])).toEqual([['failed', 6]])
  const passedMs = Date.parse(after.body.now) - Date.parse(before.now)
  // 10 s, 1 min, 5 min, 30 min and 2 h, each give or take a fifth.
  expect(passedMs).toBeGreaterThan(0.8 * 9_370_000)
  expect(passedMs).toBeLessThan(1.2 * 9_370_000 + 60_000)
})

test('the clock stays within the range of dates', async () => {
  const end = '9999-12-31T23:59:59.999Z'
  expect((await move({ frozen: true })).status).toBe(200)
  expect((await move({ set: end })).body.now).toBe(end)
  expectInvalid(await move({ advance: '1ms' }), ['advance'])
  const expiresIn = 1_000_000 * 86_400
  expect((await call('POST', 'tokens', { user: 'alice', expiresIn })).status).toBe(200)
  expect((await call('GET', 'tokens')).status).toBe(200)
  expect((await call('GET', 'clock')).body).toMatchObject({ now: end })
})

test('the clock never goes back to an overdue retry', async () => {
  const { clock, engine, state, bus } = sandbox().deps
  const url = await serve((_request, response) => response.writeHead(503).end())
  await call('POST', 'webhooks', webhookAt(url))
  await move({ frozen: true })
  await call('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  await engine.idle({ timeoutMs: 10_000 })
  expect(state.deliveries.groupSize('state', 'waiting')).toBe(1)
  const times = [clock.now()]
  const stop = bus.on('clock.changed', ({ data }) => times.push(data.now))
  // Its timer has not fired when the way to the next one begins.
  clock.advance(60_000)
  const settled = { ...engine, idle: () => Promise.resolve(true) }
  await moveClock({ clock, engine: settled, state }, { untilIdle: true })
  stop()
  expect(times.length).toBeGreaterThan(1)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})
