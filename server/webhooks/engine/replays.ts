import type { Deps } from '../../events/deps.ts'
import type { Attempt, Delivery, Webhook } from '../../state/entities/webhooks.ts'
import type { Attempts } from '../delivery/attempts.ts'
import { mayHappen } from '../delivery/delivery-life.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import type { Pump } from './pump.ts'
import type { Queues } from './queues.ts'
import type { Retention } from '../delivery/retention.ts'
import type { Turns } from './turns.ts'

/** Attempts by hand, beside a delivery's own course. */
export interface Replays {
  /** @returns the attempt when it has ended; `undefined` when the log was reset meanwhile */
  replay: (delivery: Delivery, webhook: Webhook) => Promise<Attempt | undefined>
}

export interface ReplaysOptions {
  log: Pick<DeliveryLog, 'move'>
  attempts: Pick<Attempts, 'start'>
  turns: Turns
  queues: Pick<Queues, 'unblock'>
  pump: Pick<Pump, 'run'>
  retention: Pick<Retention, 'enforce'>
  /** Told when a turn that was missed can be taken. */
  onMissed: (delivery: Delivery) => void
  onProgress: () => void
}

export function createReplays(
  { state }: Pick<Deps, 'state'>,
  { log, attempts, turns, queues, pump, retention, onMissed, onProgress }: ReplaysOptions,
): Replays {
  /** It decides only what is not under way otherwise, and was not cancelled during it. */
  function conclude(before: Delivery, attempt: Attempt): void {
    const present = state.deliveries.get(before.id)
    if (present === undefined) return
    if (present.state === 'cancelled' && before.state !== 'cancelled') return
    // An edited replay has no course but this.
    const isOwn = present.derivedFrom !== undefined && present.state === 'sending'
    if (attempt.error !== undefined) {
      if (isOwn) log.move(present.id, { kind: 'failed', attempt })
      return
    }
    const kind = isOwn ? 'succeeded' : 'replaySucceeded'
    if (!mayHappen(present, kind)) return
    log.move(present.id, { kind, attempt })
    queues.unblock(present.webhookId, present.id)
    pump.run()
  }

  async function send(delivery: Delivery, webhook: Webhook): Promise<Attempt | undefined> {
    const concluded = await attempts.start(delivery, webhook, 'replay')
    if (concluded !== undefined) conclude(delivery, concluded.attempt)
    return concluded?.attempt
  }

  return {
    async replay(delivery, webhook) {
      const attempt = await turns.during(
        delivery.id,
        () => send(delivery, webhook),
        () => onMissed(delivery),
      )
      retention.enforce()
      onProgress()
      return attempt
    },
  }
}
