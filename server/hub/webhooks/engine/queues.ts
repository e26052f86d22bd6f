import type { DeliveryOrder } from '../../../contract/words/webhook-words.ts'
import type { Delivery } from '../../../store/entities/webhook-entities.ts'

export interface QueueLimits {
  /** Concurrent attempts per webhook. */
  perWebhook: number
  /** Concurrent attempts of all webhooks; a webhook with none in flight may always start one more. */
  overall: number
}

/** One queue per webhook, so that no webhook waits for the receiver of another. */
export interface Queues {
  add(delivery: Queueable): void
  /** Adds a delivery that was queued before: in an ordered queue it goes to the front. */
  addAgain(delivery: Queueable): void
  /**
   * Takes the next delivery, one webhook after the other, and counts it as in flight until `done`. The caller checks
   * whether it was cancelled meanwhile.
   */
  take(): { webhookId: string; deliveryId: string } | undefined
  done(webhookId: string): void
  /** Until `unblock`, an ordered queue keeps back all deliveries that came after this one, which waits for a retry. */
  block(delivery: Queueable): void
  unblock(webhookId: string, deliveryId: string): void
  /** Returns the ids of deliveries kept back in ordered queues. */
  blocked(): Iterable<string>
  /** Drops everything; `done` must not be called for deliveries that were in flight. */
  clear(): void
}

/** `seq` is the position in an ordered queue, usually in the order of the events. */
export type Queueable = Pick<Delivery, 'id' | 'webhookId' | 'seq'>

interface Entry {
  readonly deliveryId: string
  readonly seq: number
}

interface Queue {
  readonly waiting: Entry[]
  /** Whether `waiting` is sorted by `seq`; only ordered queues need that. */
  isSorted: boolean
  active: number
  /** `seq` of each delivery that waits for a retry, by id. Kept for every queue: a webhook may become ordered later. */
  readonly blockedBy: Map<string, number>
}

/**
 * @param orderOf returns the present order setting of a webhook
 * @param random a number in [0, 1), to shuffle
 */
export function createQueues(
  limits: QueueLimits,
  orderOf: (webhookId: string) => DeliveryOrder,
  random: () => number,
): Queues {
  const queues = new Map<string, Queue>()
  // Webhooks with waiting deliveries. One that was served moves to the end.
  const turns = new Set<string>()
  let active = 0

  function queueOf(webhookId: string): Queue {
    const queue = queues.get(webhookId) ?? {
      waiting: [],
      isSorted: true,
      active: 0,
      blockedBy: new Map<string, number>(),
    }
    queues.set(webhookId, queue)
    return queue
  }

  function mayStart(queue: Queue, order: DeliveryOrder): boolean {
    if (order === 'ordered') return queue.active === 0 && !isBlocked(queue)
    return queue.active < limits.perWebhook && (active < limits.overall || queue.active === 0)
  }

  function forgetIfIdle(webhookId: string, queue: Queue): void {
    if (queue.active === 0 && queue.waiting.length === 0 && queue.blockedBy.size === 0) {
      queues.delete(webhookId)
    }
  }

  return {
    add({ webhookId, id, seq }) {
      pushBack(queueOf(webhookId), { deliveryId: id, seq })
      turns.add(webhookId)
    },
    addAgain({ webhookId, id, seq }) {
      const push = orderOf(webhookId) === 'ordered' ? pushFront : pushBack
      push(queueOf(webhookId), { deliveryId: id, seq })
      turns.add(webhookId)
    },
    take() {
      for (const webhookId of turns) {
        const queue = queueOf(webhookId)
        const order = orderOf(webhookId)
        if (!mayStart(queue, order)) continue
        const index = order === 'shuffled' ? Math.floor(random() * queue.waiting.length) : 0
        const taken = index === 0 ? queue.waiting.shift() : queue.waiting.splice(index, 1)[0]
        turns.delete(webhookId)
        if (queue.waiting.length > 0) turns.add(webhookId)
        if (taken === undefined) continue
        queue.active++
        active++
        return { webhookId, deliveryId: taken.deliveryId }
      }
      return undefined
    },
    done(webhookId) {
      const queue = queueOf(webhookId)
      queue.active--
      active--
      forgetIfIdle(webhookId, queue)
    },
    block({ webhookId, id, seq }) {
      queueOf(webhookId).blockedBy.set(id, seq)
    },
    unblock(webhookId, deliveryId) {
      const queue = queues.get(webhookId)
      if (queue?.blockedBy.delete(deliveryId) === true) forgetIfIdle(webhookId, queue)
    },
    *blocked() {
      for (const [webhookId, queue] of queues) {
        if (orderOf(webhookId) !== 'ordered' || !isBlocked(queue)) continue
        for (const { deliveryId } of queue.waiting) yield deliveryId
      }
    },
    clear() {
      queues.clear()
      turns.clear()
      active = 0
    },
  }
}

function pushBack(queue: Queue, entry: Entry): void {
  const last = queue.waiting.at(-1)
  queue.isSorted = last === undefined || (queue.isSorted && last.seq < entry.seq)
  queue.waiting.push(entry)
}

function pushFront(queue: Queue, entry: Entry): void {
  const first = queue.waiting[0]
  queue.isSorted = first === undefined || (queue.isSorted && entry.seq < first.seq)
  queue.waiting.unshift(entry)
}

/** Returns whether an ordered queue waits for a delivery that came before all of its entries. */
function isBlocked(queue: Queue): boolean {
  if (!queue.isSorted) {
    queue.waiting.sort((a, b) => a.seq - b.seq)
    queue.isSorted = true
  }
  const head = queue.waiting[0]
  if (head === undefined) return false
  for (const seq of queue.blockedBy.values()) if (seq < head.seq) return true
  return false
}
