import type { Verdict } from '../../contract/control-experiments.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../../events/deps.ts'
import type { Delivery } from '../../state/entities/webhooks.ts'
import type { WebhookEngine } from '../../webhooks/engine/engine.ts'
import { words } from './words.ts'

/** Past deliveries that are sent again in a way that the hub may send them, too. */
export interface ReceiverExperiment {
  id: string
  title: string
  expected: string
  /** Number of past deliveries that it needs. */
  needs: number
  /** @param latest deliveries of the webhook, newest first */
  plan: (latest: readonly Delivery[]) => { ids: string[]; duplicates?: number }
  /** Whether the deliveries are sent one after the other. */
  inTurn?: true
}

const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id)

export const receiverExperiments: readonly ReceiverExperiment[] = [
  {
    id: 'duplicate',
    title: 'Same delivery twice',
    expected: 'Your receiver should respond with success to a delivery that it already has.',
    needs: 1,
    plan: ([newest]) => {
      const ids = newest === undefined ? [] : [newest.id]
      return { ids: [...ids, ...ids] }
    },
    inTurn: true,
  },
  {
    id: 'out-of-order',
    title: 'Deliveries out of order',
    expected: 'Your receiver should take an older delivery after a newer one.',
    needs: 2,
    plan: (latest) => ({ ids: idsOf(latest.slice(0, 2)) }),
    inTurn: true,
  },
  {
    id: 'burst',
    title: 'Twenty deliveries at once',
    expected: 'Your receiver should take all of them in time.',
    needs: 1,
    plan: (latest) => ({ ids: idsOf(latest.slice(0, 1)), duplicates: 20 }),
  },
]

interface ReceiverDeps extends Pick<Deps, 'state'> {
  engine: Pick<WebhookEngine, 'replay' | 'replayMany'>
}

/**
 * Sends deliveries again, and judges the receiver by its responses.
 * @param webhookId default: the webhook of the newest delivery
 * @throws {Refusal} `not_found` for an unknown webhook, `conflict` without a delivery to send again
 */
export async function judgeReceiver(
  { state, engine }: ReceiverDeps,
  { needs, plan, inTurn }: ReceiverExperiment,
  webhookId: string | undefined,
): Promise<Verdict> {
  if (webhookId !== undefined && !state.webhooks.has(webhookId)) {
    throw new Refusal('not_found', `There is no webhook ${webhookId}.`)
  }
  const candidates = [...state.deliveries.values()]
    .filter((delivery) => {
      const isWanted = webhookId === undefined || delivery.webhookId === webhookId
      const isSent = delivery.attempts > 0 && delivery.derivedFrom === undefined
      return isWanted && isSent && state.webhooks.get(delivery.webhookId)?.url !== undefined
    })
    .toSorted((a, b) => b.seq - a.seq)
  const latest = candidates.filter((one) => one.webhookId === candidates[0]?.webhookId)
  if (latest.length < needs) {
    throw new Refusal('conflict', latest.length === 0 ? words.nothingDelivered : words.oneDelivered)
  }
  const { ids, ...more } = plan(latest)
  const errors: (string | undefined)[] = []
  if (inTurn === true) {
    for (const id of ids) errors.push((await engine.replay(id)).error?.message)
  } else {
    for (const { attempt, refused } of await engine.replayMany({ ids, ...more })) {
      errors.push(refused ?? attempt?.error?.message)
    }
  }
  const failures = errors.filter((error) => error !== undefined)
  const [first] = failures
  const deliveryId = latest[0]?.id ?? ''
  return first === undefined
    ? { state: 'passed', text: words.tookAll(errors.length), deliveryId }
    : {
        state: 'failed',
        text: words.refusedSome(failures.length, errors.length, first),
        deliveryId,
      }
}
