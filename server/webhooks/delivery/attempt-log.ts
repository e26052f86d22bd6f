import type { Deps } from '../../events/deps.ts'
import { dropJob } from '../../hub/jobs/job-retention.ts'
import type { Attempt, Delivery } from '../../state/entities/webhooks.ts'
import type { AttemptSource } from '../../contract/words/webhooks.ts'
import { factOf, verdictOf } from './delivery-facts.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Retention } from './retention.ts'
import type { AttemptResult } from './wire.ts'

/** The one writer of attempts: each change is stored, then told. */
export interface AttemptLog {
  /**
   * Notes that an attempt is about to be sent, so that a crash cannot hide it. A replay goes beside
   * the delivery's own course and leaves its state alone.
   */
  open(delivery: Delivery, source: AttemptSource, what: Pick<Attempt, 'request' | 'jobId'>): Attempt
  close(attempt: Attempt, result: AttemptResult): Attempt
  /** Its end is one that nobody saw. */
  lose(attempt: Attempt): void
}

// Replays can be repeated without end; the log of one delivery may not grow so.
const keptAttempts = 100

export function createAttemptLog(
  { state, bus, clock }: Pick<Deps, 'state' | 'bus' | 'clock'>,
  log: Pick<DeliveryLog, 'move'>,
  retention: Pick<Retention, 'grew'>,
): AttemptLog {
  function drop(id: string): void {
    const attempt = state.attempts.get(id)
    if (attempt === undefined) return
    retention.grew(-(attempt.response?.body.length ?? 0))
    state.attempts.delete(id)
    if (attempt.jobId !== undefined) dropJob(state, attempt.jobId)
  }

  return {
    open({ id }, source, what) {
      const kind = source === 'replay' ? 'replayBegun' : 'begun'
      const { attempts: number } = log.move(id, { kind })
      drop(`${id}/${number - keptAttempts}`)
      return state.attempts.put({
        id: `${id}/${number}`,
        deliveryId: id,
        number,
        source,
        at: clock.now(),
        ...what,
      })
    },

    close(attempt, result) {
      const outcome = result.error === undefined ? 'succeeded' : 'failed'
      const closed = state.attempts.put({ ...attempt, outcome, ...result })
      retention.grew(result.response?.body.length ?? 0)
      const delivery = state.deliveries.get(attempt.deliveryId)
      if (delivery !== undefined) {
        const { number, source } = attempt
        const { durationMs } = result
        const what = { attempt: number, source, durationMs, ...verdictOf(closed) }
        bus.emit('delivery.attempted', factOf(delivery, what))
      }
      return closed
    },

    lose(attempt) {
      state.attempts.put({ ...attempt, outcome: 'unknown' })
    },
  }
}
