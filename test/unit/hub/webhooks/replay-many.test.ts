import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ServerResponse } from 'node:http'
import { createIds, seededBytes } from '../../../../server/core/ids.ts'
import { createWebhookWorld, startReceiver } from '../../../helpers/webhook-world.ts'
import { replayMany } from '../../../../server/hub/webhooks/engine/replay-many.ts'

async function replayWorld(count: number) {
  const receiver = await startReceiver()
  const world = await createWebhookWorld()
  const webhook = world.addWebhook({ url: receiver.url })
  world.engine.start()
  for (let left = count; left > 0; left--) world.emit()
  await world.settle()
  receiver.received.length = 0
  return { world, receiver, webhook, ids: [...world.state.deliveries.values()].map(({ id }) => id) }
}

describe('several replays', () => {
  test('replays of an ordered webhook are sent one at a time in the given order', async () => {
    const { world, receiver, webhook, ids } = await replayWorld(6)
    world.state.webhooks.put({ ...webhook, order: 'ordered' })
    const wanted = ids.toReversed()
    const replayed = await world.engine.replayMany({ ids: wanted })
    expect(replayed.map(({ deliveryId }) => deliveryId)).toEqual(wanted)
    const messages = new Map(
      [...world.state.deliveries.values()].map(({ id, messageId }) => [messageId, id]),
    )
    const order = receiver.received.map(({ headers }) =>
      messages.get(String(headers['webhook-id'])),
    )
    expect(order).toEqual(wanted)
  })

  test('one replay of an ordered webhook is under way at a time', async () => {
    const { world, webhook, ids } = await replayWorld(3)
    const waiting: ServerResponse[] = []
    const slow = await startReceiver((_request, response) => void waiting.push(response))
    world.state.webhooks.put({ ...webhook, order: 'ordered', url: slow.url })
    const replays = world.engine.replayMany({ ids })
    for (let number = 1; number <= ids.length; number++) {
      await expect.poll(() => slow.received.length).toBe(number)
      // Time enough for a second one to arrive, were it sent.
      await sleep(50)
      expect(slow.received).toHaveLength(number)
      waiting.shift()?.end()
    }
    expect(await replays).toHaveLength(3)
  })

  test('replays are shuffled by the seed, so a seed repeats the order', async () => {
    const { world, ids } = await replayWorld(1)
    const wanted = Array.from({ length: 20 }, (_, index) => `delivery ${index}`)
    const orderOf = async (seed: string) => {
      const deps = { state: world.state, ids: createIds(seededBytes(seed)) }
      const options = {
        request: { ids: wanted, order: 'shuffled' as const },
        signal: undefined,
        sendAgain: (id: string) => world.engine.replay(ids[0] ?? id),
        duplicate: () => expect.fail(),
      }
      const replayed = await replayMany(deps, { perWebhook: 4, overall: 32 }, options)
      return replayed.map(({ deliveryId }) => deliveryId)
    }
    const first = await orderOf('a')
    expect(first).not.toEqual(wanted)
    expect(first.toSorted()).toEqual(wanted.toSorted())
    expect(await orderOf('a')).toEqual(first)
    expect(await orderOf('b')).not.toEqual(first)
  })

  test('stopped replays start no more attempts and return those under way', async () => {
    const { world, webhook, ids } = await replayWorld(6)
    const waiting: ServerResponse[] = []
    const slow = await startReceiver((_request, response) => void waiting.push(response))
    world.state.webhooks.put({ ...webhook, url: slow.url })
    const stopped = new AbortController()
    const replays = world.engine.replayMany({ ids }, stopped.signal)
    await expect.poll(() => waiting.length).toBe(4)
    stopped.abort()
    for (const response of waiting) response.end()
    const replayed = await replays
    expect(replayed.map(({ attempt }) => attempt?.status)).toEqual([200, 200, 200, 200])
    expect(slow.received).toHaveLength(4)
  })

  test('replays of a webhook that hangs do not delay another webhook', async () => {
    const { world, webhook, ids } = await replayWorld(6)
    const hanging = await startReceiver(() => undefined)
    world.state.webhooks.put({ ...webhook, url: hanging.url })
    const receiver = await startReceiver()
    const other = world.addWebhook({ url: receiver.url })
    world.emit()
    await expect.poll(() => receiver.received.length).toBe(1)
    const [delivery] = world.state.deliveries.group('webhook', other.id)
    const stopped = new AbortController()
    void world.engine.replayMany({ ids: [...ids, delivery?.id ?? ''] }, stopped.signal)
    await expect.poll(() => receiver.received.length).toBe(2)
    stopped.abort()
  })

  test('replays of a deleted webhook are refused one by one', async () => {
    const { world, webhook, ids } = await replayWorld(2)
    world.state.webhooks.delete(webhook.id)
    expect(await world.engine.replayMany({ ids, duplicates: 2 })).toEqual(
      [ids[0], ids[0], ids[1], ids[1]].map((deliveryId) => ({
        deliveryId,
        refused: 'The webhook of this delivery was deleted',
      })),
    )
    expect(world.state.deliveries.size).toBe(2)
  })
})
