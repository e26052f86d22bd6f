import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { ClockReading } from '../../server/contract/control-clock.ts'
import type { DeliveryList } from '../../server/contract/control-deliveries.ts'
import { expectRefusal, expectShape, controlWorld } from '../helpers/control.ts'

const { call } = controlWorld()

let receiver: Server | undefined
afterEach(() => receiver?.close())

const move = (body: object) => call<ClockReading>('POST', 'clock', body)

it('reads, freezes, sets, advances and resumes', async () => {
  const { body } = await call<ClockReading>('GET', 'clock')
  expectShape(ClockReading, body)
  expect(body).toMatchObject({ frozen: false, offsetMs: 0 })
  expect((await move({ frozen: true })).body.frozen).toBe(true)
  expect((await move({ set: '2030-01-01T00:00:00Z' })).body.now).toBe('2030-01-01T00:00:00.000Z')
  expect((await move({ advance: '1h30m' })).body.now).toBe('2030-01-01T01:30:00.000Z')
  const resumed = await move({ frozen: false })
  expect(resumed.body).toMatchObject({ frozen: false })
  expect(resumed.body.now).toMatch(/^2030-01-01T01:30:/)
  expect(resumed.body.offsetMs).toBeGreaterThan(0)
})

it.each([
  [{}, ['']],
  [{ advance: '8 hours' }, ['advance']],
  [{ set: 'tomorrow' }, ['set']],
  [{ advance: '1s', frozen: true }, ['']],
  [{ untilIdle: false }, ['untilIdle']],
  [{ forward: '1s' }, ['forward']],
])('refuses %j', async (body, paths) => {
  expectRefusal(await move(body), { status: 400, error: 'invalid_request', paths })
})

it('goes from one due retry to the next until none waits', async () => {
  receiver = createServer((_request, response) => response.writeHead(503).end())
  await new Promise<void>((resolve) => receiver?.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  await call('POST', 'webhooks', {
    user: 'alice',
    url: `http://127.0.0.1:${port}/`,
    watched: [{ type: 'org', name: 'acme' }],
  })
  await call('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  const before = await call<ClockReading>('GET', 'clock')
  const after = await move({ untilIdle: true })
  const { items } = (await call<DeliveryList>('GET', 'deliveries')).body
  expect(items.map(({ state, attempts }) => [state, attempts.length])).toEqual([['failed', 6]])
  const passedMs = Date.parse(after.body.now) - Date.parse(before.body.now)
  // 10 s, 1 min, 5 min, 30 min and 2 h, each give or take a fifth.
  expect(passedMs).toBeGreaterThan(0.8 * 9_370_000)
  expect(passedMs).toBeLessThan(1.2 * 9_370_000 + 60_000)
})
