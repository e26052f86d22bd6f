import type { DeliveryErrorClass } from '../../../contract/words/webhook-words.ts'
import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'

/** Undelivered deliveries of one webhook whose last attempts failed alike. */
export interface Issue {
  webhookId: string
  class: DeliveryErrorClass
  /** HTTP status or exit code. */
  status?: number
  /** Newest attempt that failed like this. */
  last: Attempt
  /** Start of the first attempt that failed like this; milliseconds since 1970. */
  since: number
  /** Number of deliveries that will be retried. */
  failing: number
  /** Number of deliveries without a retry left. */
  failed: number
  /** Largest number of attempts of one delivery. */
  mostAttempts: number
}

/**
 * Groups undelivered deliveries by webhook and cause.
 * @param undelivered deliveries that are neither succeeded nor cancelled; those without a failed attempt are left out
 */
export function findIssues(
  undelivered: Iterable<{ delivery: Delivery; attempts: readonly Attempt[] }>,
): Issue[] {
  const issues = new Map<string, Issue>()
  for (const { delivery, attempts } of undelivered) {
    const last = attempts.findLast(({ error }) => error !== undefined)
    if (last?.error === undefined) continue
    const { webhookId, state } = delivery
    const { status } = last
    const key = causeOf(last)
    const since = attempts.find((attempt) => causeOf(attempt) === key)?.at ?? last.at
    const id = `${webhookId} ${key}`
    const known = issues.get(id)
    issues.set(id, {
      webhookId,
      class: last.error.class,
      ...(status !== undefined && { status }),
      last: known === undefined || known.last.at <= last.at ? last : known.last,
      since: Math.min(since, known?.since ?? since),
      failing: (known?.failing ?? 0) + (state === 'failed' ? 0 : 1),
      failed: (known?.failed ?? 0) + (state === 'failed' ? 1 : 0),
      mostAttempts: Math.max(delivery.attempts, known?.mostAttempts ?? 0),
    })
  }
  return [...issues.values()]
}

function causeOf({ error, status }: Attempt): string {
  return `${error?.class} ${status ?? ''}`
}
