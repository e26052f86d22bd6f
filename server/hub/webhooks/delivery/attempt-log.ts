import type { Deps } from '../../deps.ts'
import { dropJob } from '../../jobs/job-retention.ts'
import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'
import type { AttemptSource } from '../../../contract/words/webhook-words.ts'
import { factOf, verdictOf } from './delivery-facts.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Retention } from './retention.ts'
import type { AttemptResult } from '../../../web/outgoing/wire.ts'

/** Writes all attempts: stores each change, then emits it. */
export interface AttemptLog {
  /**
   * Stores an attempt before it is sent, so that a crash cannot hide it. A replay leaves the state of its delivery
   * unchanged.
   */
  open(delivery: Delivery, source: AttemptSource, what: Pick<Attempt, 'request' | 'jobId'>): Attempt
  close(attempt: Attempt, result: AttemptResult): Attempt
  /** Stores an unknown outcome: the sandbox stopped during the attempt. */
  closeAsUnknown(attempt: Attempt): void
}

// A delivery can be replayed without limit, but its log must not grow without limit.
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
        realAt: clock.realNow(),
        ...what,
      })
    },

    close(attempt, result) {
      const outcome = result.error === undefined ? 'succeeded' : 'failed'
      const closed = state.attempts.put({ ...attempt, outcome, ...result })
      retention.grew(result.response?.body.length ?? 0)
      const delivery = state.deliveries.get(attempt.deliveryId)
      if (delivery !== undefined) {
        const { number, source, jobId } = closed
        const { durationMs } = result
        const job = jobId === undefined ? {} : { jobId }
        const what = { attempt: number, source, durationMs, ...job, ...verdictOf(closed) }
        bus.emit('delivery.attempted', factOf(delivery, what))
      }
      return closed
    },

    closeAsUnknown(attempt) {
      state.attempts.put({ ...attempt, outcome: 'unknown' })
    },
  }
}
