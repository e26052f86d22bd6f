import { describe, expect, test } from 'vitest'
import {
  DeliveryIds,
  DeliveryList,
  DeliverySummary,
  ReplayedMany,
} from '../../server/contract/control-deliveries.ts'
import { controlWebhooks, controlWorld, expectInvalid } from '../helpers/control.ts'

const world = controlWorld()
const { call, read, send } = world
const { receiver, makeWebhook, trigger, idle } = controlWebhooks(world)

const page = (query: string) => read(DeliveryList, `deliveries?view=rows&${query}`)
const summary = (query = '') => read(DeliverySummary, `deliveries/summary?${query}`)
const idsOf = ({ items }: DeliveryList) => items.map(({ id }) => id)

/** Causes deliveries, and returns their ids, the oldest first. */
async function deliver(times: number): Promise<string[]> {
  const { deliveries } = await trigger({ repeat: { times } })
  await idle()
  return deliveries.map(({ id }) => id)
}

describe('pages of deliveries by place', () => {
  test('stay in place while deliveries arrive', async () => {
    await makeWebhook()
    const first = (await deliver(7)).toReversed()
    const { asOf = '', ...top } = await page('skip=0&limit=3')
    expect(top).toMatchObject({ start: 0, total: 7 })
    const pages = [idsOf(top)]
    for (const skip of [3, 6, 9]) {
      const newer = await deliver(1)
      const next = await page(`skip=${skip}&limit=3&cursor=${asOf}`)
      expect(next).toMatchObject({ start: skip, total: 7, asOf })
      expect(next.nextCursor === undefined).toBe(skip >= 6)
      expect(idsOf(next)).not.toContain(newer[0])
      pages.push(idsOf(next))
    }
    expect(pages.flat()).toEqual(first)
    expect(await page('skip=0&limit=3')).toMatchObject({ total: 10 })
    // Pages by cursor have neither place nor total, which are costly.
    expect(await page('limit=3')).not.toHaveProperty('total')
  })

  test('stay in place when the oldest are deleted or nothing is left', async () => {
    expect(await page('skip=0')).toEqual({ items: [], start: 0, total: 0, asOf: '0.1' })
    expect(await page('skip=5')).toEqual({ items: [], start: 5, total: 0, asOf: '0.1' })
    await makeWebhook()
    const [oldest = '', ...rest] = await deliver(3)
    const { asOf } = await page('skip=0')
    world.sandbox.deps.state.deliveries.delete(oldest)
    const after = await page(`skip=0&cursor=${asOf}`)
    expect([idsOf(after), after.total]).toEqual([rest.toReversed(), 2])
  })

  test('have a delivery in the middle, or its place if it does not match', async () => {
    await makeWebhook()
    const ids = (await deliver(9)).toReversed()
    const { asOf = '' } = await page('skip=0&limit=1')
    const around = await page(`around=${ids[4]}&limit=3`)
    expect([idsOf(around), around.start]).toEqual([ids.slice(3, 6), 3])
    expect(await page(`around=${ids[0]}&limit=3`)).toMatchObject({ start: 0 })
    expect(idsOf(await page(`around=${ids[8]}&limit=1`))).toEqual([ids[8]])
    const other = `q=id:${ids[2]},${ids[7]}`
    expect(idsOf(await page(`${other}&around=${ids[5]}&limit=3`))).toEqual([ids[2], ids[7]])
    expect(await page(`${other}&around=${ids[5]}&limit=1`)).toMatchObject({ start: 1, total: 2 })
    const [newer] = await deliver(1)
    expect(await page(`around=${newer}&limit=1&cursor=${asOf}`)).toMatchObject({ start: 0 })
    expectInvalid(await call('GET', 'deliveries?around=none'), ['around'])
  })

  test('have skipped deliveries on request only', async () => {
    await makeWebhook({ watched: [{ type: 'user', name: 'bob' }] })
    await makeWebhook()
    await deliver(3)
    expect(await page('skip=0')).toMatchObject({ total: 3 })
    const all = await page('skip=0&state=succeeded,skipped')
    const states = all.items.map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: 3 }, () => ['skipped', 'succeeded']).flat())
    const skipped = all.items.find(({ state }) => state === 'skipped')
    expect(await page(`around=${skipped?.id}&limit=1&state=skipped`)).toMatchObject({ start: 0 })
    const second = await page(`skip=1&limit=4&state=succeeded,skipped&cursor=${all.asOf}`)
    expect(idsOf(second)).toEqual(idsOf(all).slice(1, 5))
  })
})

test('the summary has the numbers of what matches, and of what is newer', async () => {
  await makeWebhook({ watched: [{ type: 'user', name: 'bob' }] })
  const { id } = await makeWebhook()
  await deliver(2)
  receiver.status = 503
  await deliver(1)
  const { asOf } = await page('skip=0')
  const sums = await summary()
  expect(sums).toMatchObject({ total: 3, attempted: 3, succeeded: 2, failing: 1, failed: 0 })
  expect(sums).toMatchObject({ skipped: 0, audits: 0, listed: 3, newer: 0, successRate: 2 / 3 })
  expect(sums.spans.reduce((sum, span) => sum + span.succeeded + span.failing, 0)).toBe(3)
  expect(sums.spans.length).toBeLessThanOrEqual(48)
  expect(await summary('q=status:failing')).toMatchObject({ total: 1, succeeded: 0, listed: 3 })
  expect(await summary('state=failing')).toMatchObject({ total: 1, listed: 3 })
  expect(await summary('q=status:skipped')).toMatchObject({ total: 0, skipped: 3, listed: 6 })
  await deliver(2)
  expect(await summary(`cursor=${asOf}`)).toMatchObject({ total: 3, listed: 3, newer: 2 })
  const before = `cursor=${asOf}&webhookId=${id}`
  expect(await summary(`${before}&q=status:succeeded`)).toMatchObject({ total: 2, newer: 0 })
  const nothing = { total: 0, listed: 5, spanMs: 0, spans: [], successRate: null }
  expect(await summary('q=repo:nothing')).toMatchObject(nothing)
})

test('bookmarks are found by their ids', async () => {
  await makeWebhook()
  const [first, second, third] = await deliver(3)
  const bookmarks = `bookmarks=${first},${third},gone`
  expect(idsOf(await page(`q=is:bookmarked&${bookmarks}`))).toEqual([third, first])
  expect(idsOf(await page(`q=-is:bookmarked&${bookmarks}`))).toEqual([second])
  expect(await summary(`q=is:bookmarked,synthetic&${bookmarks}`)).toMatchObject({ total: 2 })
  expect(idsOf(await page('q=is:bookmarked&bookmarks='))).toEqual([])
  // Without ids, nobody knows what is bookmarked.
  expectInvalid(await call('GET', 'deliveries?q=is:bookmarked'), ['q'])
})

test('ids are those of the matches that can be replayed', async () => {
  await makeWebhook({ watched: [{ type: 'user', name: 'bob' }] })
  await makeWebhook()
  const ids = await deliver(3)
  const all = await read(DeliveryIds, 'deliveries/ids?state=succeeded,skipped')
  expect(all.ids).toEqual(ids.toReversed())
  expect(await read(DeliveryIds, `deliveries/ids?q=-id:${ids[0]}`)).toEqual({
    ids: [ids[2], ids[1]],
  })
  expect(await read(DeliveryIds, 'deliveries/ids?state=skipped')).toEqual({ ids: [] })
})

test('the oldest deliveries can be replayed first', async () => {
  await makeWebhook({ order: 'ordered' })
  const ids = await deliver(3)
  const request = { ids: ids.toReversed(), order: 'oldest' }
  const { items } = await send(ReplayedMany, 'POST', 'deliveries/replay', request)
  expect(items.map(({ deliveryId }) => deliveryId)).toEqual(ids)
})

test.each(['deliveries', 'deliveries/summary', 'deliveries/ids'])(
  'GET %s refuses what no delivery can match',
  async (path) => {
    await makeWebhook()
    for (const [query, wrong] of [
      ['q=status:lost', 'q'],
      ['q=kind:', 'q'],
      ['state=lost', 'state'],
      ['state=failing,', 'state'],
      ['webhookId=none', 'webhookId'],
      ['repo=none', 'repo'],
      ['scope=none', 'scope'],
      ['audits=2', 'audits'],
      ['cursor=1', 'cursor'],
      [`bookmarks=${'a'.repeat(40_001)}`, 'bookmarks'],
    ] as const) {
      expectInvalid(await call('GET', `${path}?${query}`), [wrong])
    }
    const { body } = await call('GET', `${path}?q=status:lost`)
    expect(JSON.stringify(body)).toMatch(/Unknown status \\"lost\\" at character 1.*: use /)
  },
)

test('deliveries refuse an invalid place', async () => {
  for (const query of ['skip=-1', 'skip=1.5', 'skip=last']) {
    expectInvalid(await call('GET', `deliveries?${query}`), ['skip'])
  }
})
