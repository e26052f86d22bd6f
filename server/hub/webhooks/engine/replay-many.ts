import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { DeliveryOrder, ReplayOrder } from '../../../contract/words/webhook-words.ts'
import type { Deps } from '../../deps.ts'
import type { Attempt } from '../../../store/entities/webhook-entities.ts'
import { createQueues, type QueueLimits } from './queues.ts'

export interface ReplayPlan {
  ids: readonly string[]
  /** Default: the order of `ids`. */
  order?: ReplayOrder
  /** Number of new deliveries with the same body, instead of one more attempt. */
  duplicates?: number
}

/** Result of one of several replays. */
export interface Replayed {
  /** Delivery from the request. */
  deliveryId: string
  /** New delivery with the same body. */
  duplicateId?: string
  attempt?: Attempt
  /** Reason when nothing was sent. */
  refused?: string
}

interface ReplayManyOptions {
  request: ReplayPlan
  signal: AbortSignal | undefined
  sendAgain: (deliveryId: string) => Promise<Attempt>
  /** Creates a delivery with the same body and sends it. */
  duplicate: (deliveryId: string) => { id: string; attempt: Promise<Attempt> }
}

/** Replays deliveries of several webhooks; none waits for the receiver of another. */
export async function replayMany(
  { state, ids }: Pick<Deps, 'state' | 'ids'>,
  limits: QueueLimits,
  { request, signal, sendAgain, duplicate }: ReplayManyOptions,
): Promise<Replayed[]> {
  const { order, duplicates } = request
  const generator = ids.of('order of replays')
  const random = () => generator.random()
  const queues = createQueues(limits, orderOf, random)
  const wanted = request.ids.flatMap((id) => Array.from({ length: duplicates ?? 1 }, () => id))
  const seqOf = (id: string) => state.deliveries.get(id)?.seq ?? 0
  const ordered =
    order === 'shuffled'
      ? shuffle(wanted, random)
      : order === 'oldest'
        ? wanted.toSorted((a, b) => seqOf(a) - seqOf(b))
        : wanted
  for (const [seq, id] of ordered.entries()) {
    queues.add({ id, webhookId: state.deliveries.get(id)?.webhookId ?? '', seq })
  }
  const replayed: Replayed[] = []

  function orderOf(webhookId: string): DeliveryOrder {
    return state.webhooks.get(webhookId)?.order === 'ordered' ? 'ordered' : 'parallel'
  }

  async function replayOne(deliveryId: string): Promise<void> {
    const index = replayed.push({ deliveryId }) - 1
    const note = (more: Partial<Replayed>) => {
      replayed[index] = { deliveryId, ...replayed[index], ...more }
    }
    try {
      const made = duplicates === undefined ? undefined : duplicate(deliveryId)
      note(omitUndefined({ duplicateId: made?.id }))
      note({ attempt: await (made?.attempt ?? sendAgain(deliveryId)) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      note({ refused: error.message })
    }
  }

  const take = () => (signal?.aborted === true ? undefined : queues.take())

  /** Starts as many replays as the limits allow; each that ends starts the next. */
  async function startNext(): Promise<void> {
    const underWay: Promise<void>[] = []
    for (let next = take(); next !== undefined; next = take()) {
      const { webhookId, deliveryId } = next
      const ended = replayOne(deliveryId).finally(() => queues.done(webhookId))
      underWay.push(ended.then(startNext))
    }
    await Promise.all(underWay)
  }

  await startNext()
  return replayed
}

/** Returns the items in random order (Fisher-Yates). */
function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}
