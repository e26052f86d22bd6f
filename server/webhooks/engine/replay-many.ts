import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { DeliveryOrder, ReplayOrder } from '../../contract/words/webhooks.ts'
import type { Deps } from '../../events/deps.ts'
import type { Attempt } from '../../state/entities/webhooks.ts'
import { createQueues, type QueueLimits } from './queues.ts'

export interface ReplayPlan {
  ids: readonly string[]
  /** Default: as given. */
  order?: ReplayOrder
  /** So many new deliveries with the body of each, in place of one more attempt. */
  duplicates?: number
}

/** What came of one of several replays. */
export interface Replayed {
  /** The one that was asked for. */
  deliveryId: string
  /** The delivery that was made of it. */
  duplicateId?: string
  attempt?: Attempt
  /** Why nothing was sent. */
  refused?: string
}

interface ReplayManyOptions {
  request: ReplayPlan
  signal: AbortSignal | undefined
  sendAgain: (deliveryId: string) => Promise<Attempt>
  /** Makes a delivery with the same body and sends it. */
  duplicate: (deliveryId: string) => { id: string; attempt: Promise<Attempt> }
}

/** Replays deliveries of any webhooks, so that none waits for the receiver of another. */
export async function replayMany(
  { state, ids }: Pick<Deps, 'state' | 'ids'>,
  limits: QueueLimits,
  { request, signal, sendAgain, duplicate }: ReplayManyOptions,
): Promise<Replayed[]> {
  const { order, duplicates } = request
  const drawn = ids.of('order of replays')
  const random = () => drawn.random()
  const queues = createQueues(limits, orderOf, random)
  const asked = request.ids.flatMap((id) => Array.from({ length: duplicates ?? 1 }, () => id))
  for (const [seq, id] of (order === 'shuffled' ? shuffle(asked, random) : asked).entries()) {
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

  /** Starts what may be started; each that ends makes room for the next. */
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

/** Another order of the same, each equally likely (Fisher and Yates). */
function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}
