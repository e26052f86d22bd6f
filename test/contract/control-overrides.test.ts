import { beforeEach, expect, test } from 'vitest'
import { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import type { LiveEntry } from '../../server/contract/live.ts'
import { controlWorld, publicClient } from '../helpers/control.ts'

const world = controlWorld()
const { call, hub, read } = world

let cursor = ''
beforeEach(() => {
  cursor = world.sandbox.deps.live.cursor
})

const overrides = () => read(ActiveOverrides, 'overrides')

/** Facts of these kinds since the test began, as the live feed tells them. */
const facts = (...kinds: string[]): LiveEntry[] =>
  world.sandbox.deps.live
    .after(cursor)
    .entries.filter(({ type }) => kinds.includes(type.split('.', 1)[0] ?? ''))

const told = (...kinds: string[]) => facts(...kinds).map(({ type, data }) => ({ type, ...data }))

test('a new sandbox has no overrides', async () => {
  expect(await overrides()).toMatchObject({
    clock: { frozen: false, offsetMs: 0 },
    faults: [],
    barriers: [],
    devices: [],
  })
})

test('a fault is active until its last hit, and each hit is an event', async () => {
  const match = { route: '/api/whoami-v2' }
  const { id } = (
    await call<{ id: string }>('POST', 'faults', { match, status: 503, skip: 1, times: 2 })
  ).body
  const whoami = () => hub('GET', '/api/whoami-v2')
  expect((await overrides()).faults).toEqual([{ id, match, hits: 0, left: 2 }])
  await whoami()
  await whoami()
  expect((await overrides()).faults).toEqual([{ id, match, hits: 1, left: 1 }])
  await whoami()
  await whoami()
  expect((await overrides()).faults).toEqual([])
  await call('DELETE', `faults/${id}`)
  expect(told('fault')).toEqual([
    { type: 'fault.added', faultId: id, match },
    { type: 'fault.passed', faultId: id, match, matches: 1 },
    { type: 'fault.hit', faultId: id, match, hits: 1, left: 1 },
    { type: 'fault.hit', faultId: id, match, hits: 2, left: 0 },
    { type: 'fault.removed', faultId: id, match },
  ])
})

test('a fault without an end has no hits left to count', async () => {
  await call('POST', 'faults', { match: { webhookId: '*' }, status: 503 })
  const [fault] = (await overrides()).faults
  expect(fault).not.toHaveProperty('left')
})

test('a barrier counts its held and released requests', async () => {
  const match = { route: '/api/whoami-v2' }
  const { id } = (await call<{ id: string }>('POST', 'barriers', { match, count: 5 })).body
  const answers = [hub('GET', '/api/whoami-v2'), hub('GET', '/api/whoami-v2')]
  await expect
    .poll(async () => (await overrides()).barriers)
    .toEqual([{ id, match, count: 5, held: 2 }])
  await call('POST', `barriers/${id}/release`)
  await Promise.all(answers)
  expect((await overrides()).barriers).toEqual([])
  const barrier = { barrierId: id, match, count: 5 }
  expect(told('barrier')).toMatchObject([
    { type: 'barrier.added', ...barrier, held: 0 },
    { type: 'barrier.held', ...barrier, held: 1 },
    { type: 'barrier.held', ...barrier, held: 2 },
    { type: 'barrier.released', ...barrier, held: 2 },
  ])
})

test.each([
  { method: 'GET', path: '/api/whoami-v2', status: 401 },
  { method: 'POST', path: '/oauth/token', body: new URLSearchParams({ a: 'b' }), status: 400 },
])(
  'a $method whose client hangs up leaves its barrier, and the hub never sees it',
  async (asked) => {
    const { url } = world.sandbox
    const { path, status, ...init } = asked
    const match = { route: path }
    const { id } = (await call<{ id: string }>('POST', 'barriers', { match, count: 1 })).body
    const held = async () => (await overrides()).barriers.map((barrier) => barrier.held)
    const client = new AbortController()
    const cut = fetch(url + path, { ...init, signal: client.signal })
    await expect.poll(held).toEqual([1])

    client.abort()
    await expect(cut).rejects.toThrow('aborted')
    await expect.poll(held).toEqual([0])
    // There is room for another one.
    const next = fetch(url + path, init)
    await expect.poll(held).toEqual([1])
    await call('POST', `barriers/${id}/release`)
    expect((await next).status).toBe(status)
    expect(told('barrier')).toMatchObject([
      { type: 'barrier.added', held: 0 },
      { type: 'barrier.held', held: 1 },
      { type: 'barrier.left', held: 0 },
      { type: 'barrier.held', held: 1 },
      { type: 'barrier.released', held: 1 },
    ])
    expect(told('request')).toMatchObject([{ status: 0 }, { status }])
  },
)

test('a reset reports the barriers that it releases', async () => {
  const { id } = (await call<{ id: string }>('POST', 'barriers', { match: {}, count: 1 })).body
  const heard: string[] = []
  const stop = world.sandbox.deps.bus.on('barrier.released', ({ data }) => {
    heard.push(data.barrierId)
  })
  await call('POST', 'reset')
  stop()
  expect(heard).toEqual([id])
})

test('saved and deleted snapshots are reported', async () => {
  await call('POST', 'snapshots', { name: 'before' })
  await call('DELETE', 'snapshots/before')
  await call('DELETE', 'snapshots/never')
  expect(told('snapshot')).toEqual([
    { type: 'snapshot.kept', name: 'before' },
    { type: 'snapshot.deleted', name: 'before' },
  ])
})

test('a device is pending until it is answered or its code expires', async () => {
  const start = async () =>
    (
      await hub<{ user_code: string }>('POST', '/oauth/device', {
        form: { client_id: publicClient, scope: 'openid' },
      })
    ).body.user_code
  const code = await start()
  expect((await overrides()).devices).toMatchObject([
    { userCode: code, app: { clientId: publicClient } },
  ])
  await call('POST', `device/${code}`, { user: 'alice', decision: 'deny' })
  expect((await overrides()).devices).toEqual([])
  await start()
  await call('POST', 'clock', { advance: '1h' })
  expect((await overrides()).devices).toEqual([])
})
