import type { Verdict } from '../../contract/control-experiments.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../../hub/deps.ts'
import type { Attempt, Delivery } from '../../store/entities/webhook-entities.ts'
import { profileNamed } from '../../hub/webhooks/delivery/profiles.ts'
import type { WebhookEngine } from '../../hub/webhooks/engine/engine.ts'
import { judgeHalfBody, judgeSlowBody, type Judgement } from './judge-slow-body.ts'
import { words } from './words.ts'

/** Past deliveries that are sent again in a way that the hub may send them, too. */
export interface ReceiverExperiment {
  id: string
  title: string
  expected: string
  /** Number of past deliveries that it needs. */
  needs: number
  /** @param latest deliveries of the webhook, newest first; at least as many as it needs */
  run: (sender: Sender, latest: readonly Delivery[]) => Promise<Judgement>
}

type Engine = Pick<WebhookEngine, 'replay' | 'replayMany'>

interface Sender {
  engine: Engine
  /** Total time that an attempt may take. */
  deadlineMs: number
}

/** Time in which a slow body is sent, unless a third of the deadline is shorter. */
const slowMs = 5000

export const receiverExperiments: readonly ReceiverExperiment[] = [
  {
    id: 'duplicate',
    title: 'Same delivery twice',
    expected: 'Your receiver should respond with success to a delivery that it already has.',
    needs: 1,
    run: ({ engine }, [newest]) => inTurn(engine, [newest, newest]),
  },
  {
    id: 'out-of-order',
    title: 'Deliveries out of order',
    expected: 'Your receiver should take an older delivery after a newer one.',
    needs: 2,
    run: ({ engine }, latest) => inTurn(engine, latest.slice(0, 2)),
  },
  {
    id: 'burst',
    title: 'Twenty deliveries at once',
    expected: 'Your receiver should take all of them in time.',
    needs: 1,
    async run({ engine }, latest) {
      const ids = latest.slice(0, 1).map(({ id }) => id)
      const replayed = await engine.replayMany({ ids, duplicates: 20 })
      return judgeAll(replayed.map(({ attempt, refused }) => refused ?? attempt?.error?.message))
    },
  },
  {
    id: 'slow-body',
    title: 'Slow body',
    expected: 'Your receiver should wait for the whole body before it responds.',
    needs: 1,
    async run({ engine, deadlineMs }, latest) {
      const overMs = Math.min(slowMs, deadlineMs / 3)
      return judgeSlowBody(await replayNewest(engine, latest, { kind: 'slow', overMs }))
    },
  },
  {
    id: 'timeout',
    title: 'Body that stops halfway',
    expected: 'Your receiver should give up the request within the time limit of a delivery.',
    needs: 1,
    async run({ engine, deadlineMs }, latest) {
      return judgeHalfBody(await replayNewest(engine, latest, { kind: 'half' }), deadlineMs)
    },
  },
]

function replayNewest(
  engine: Engine,
  [newest]: readonly Delivery[],
  pace: Parameters<Engine['replay']>[1],
): Promise<Attempt> {
  return engine.replay(newest?.id ?? '', pace)
}

/** Sends deliveries again, one after the other. */
async function inTurn(
  engine: Engine,
  deliveries: readonly (Delivery | undefined)[],
): Promise<Judgement> {
  const errors: (string | undefined)[] = []
  for (const delivery of deliveries) {
    if (delivery !== undefined) errors.push((await engine.replay(delivery.id)).error?.message)
  }
  return judgeAll(errors)
}

/** @param errors of all attempts; `undefined` = success */
function judgeAll(errors: readonly (string | undefined)[]): Judgement {
  const failures = errors.filter((error) => error !== undefined)
  const [first] = failures
  return first === undefined
    ? { state: 'passed', text: words.tookAll(errors.length) }
    : { state: 'failed', text: words.refusedSome(failures.length, errors.length, first) }
}

interface ReceiverDeps extends Pick<Deps, 'state' | 'settings'> {
  engine: Engine
}

/**
 * Sends deliveries again, and judges the receiver by its responses.
 * @param webhookId default: the webhook of the newest delivery
 * @throws {Refusal} `not_found` for an unknown webhook, `conflict` without a delivery to send again
 */
export async function judgeReceiver(
  { state, settings, engine }: ReceiverDeps,
  { needs, run }: ReceiverExperiment,
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
  const { deadlineMs } = profileNamed(settings.deliveryProfile)
  const judgement = await run({ engine, deadlineMs }, latest)
  return { ...judgement, deliveryId: latest[0]?.id ?? '' }
}
