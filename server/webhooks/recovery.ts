import type { State } from '../state/state.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Runner } from './runner.ts'

/**
 * Takes up what an earlier run left open, in the order of the events. An attempt that was under way
 * ended in a way nobody saw, so it is neither a success nor a failure, and its delivery is sent again.
 * What was queued may have been sent just before the end, too. Held deliveries are left to their webhook.
 */
export function takeUp(
  state: Pick<State, 'attempts' | 'deliveries'>,
  log: DeliveryLog,
  runner: Pick<Runner, 'add' | 'awaitRetry'>,
): void {
  for (const attempt of state.attempts.values()) {
    if (attempt.outcome === undefined) log.loseAttempt(attempt)
  }
  for (const delivery of state.deliveries.values()) {
    if (delivery.state === 'sending') runner.add(log.queue(delivery), true)
    else if (delivery.state === 'queued') runner.add(delivery, true)
    else if (delivery.state === 'waiting') runner.awaitRetry(delivery)
  }
}
