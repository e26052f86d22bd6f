import { describe, expect, test } from 'vitest'
import type { DeliveryOrder } from '../../../../server/contract/words/webhook-words.ts'
import { createQueues } from '../../../../server/hub/webhooks/engine/queues.ts'

const queuesOf = (order: DeliveryOrder, limits = { perWebhook: 1, overall: 8 }) =>
  createQueues(limits, () => order, Math.random)

describe('queues of deliveries', () => {
  test('webhooks take turns, however many deliveries each has', () => {
    const queues = queuesOf('parallel', { perWebhook: 8, overall: 8 })
    for (const webhookId of ['a', 'b', 'c']) {
      for (const seq of [1, 2, 3]) queues.add({ id: `${webhookId}${seq}`, webhookId, seq })
    }
    const taken = Array.from({ length: 6 }, () => queues.take()?.deliveryId)
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  })

  test.each([
    ['ordered', ['first', 'second']],
    ['parallel', ['second', 'first']],
  ] as const)('a delivery that is added again to a %s webhook has its place', (order, wanted) => {
    const queues = queuesOf(order)
    queues.add({ id: 'first', webhookId: 'a', seq: 1 })
    queues.add({ id: 'second', webhookId: 'a', seq: 2 })
    expect(queues.take()?.deliveryId).toBe('first')
    queues.addAgain({ id: 'first', webhookId: 'a', seq: 1 })
    const taken = wanted.map(() => {
      queues.done('a')
      return queues.take()?.deliveryId
    })
    expect(taken).toEqual(wanted)
  })
})
