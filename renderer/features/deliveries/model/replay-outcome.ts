import type { ReplayedItem, ReplayedMany } from '../../../../server/contract/control-deliveries.ts'
import type { LiveEntry } from '../../../../server/contract/live.ts'

/** Outcome in a word: the status, the error class, or that nothing was sent. */
function wordOf({ attempt, refused }: ReplayedItem): string {
  if (refused !== undefined) return `not sent: ${refused}`
  return String(attempt?.status ?? attempt?.error?.class ?? 'no response')
}

/** Counts each outcome, most frequent first. */
export function countOutcomes({ items }: ReplayedMany): (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(wordOf(item), (counts.get(wordOf(item)) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** Counts attempts of these deliveries and of their duplicates, which is the progress. */
export function countAttempts(facts: readonly LiveEntry[], ids: ReadonlySet<string>): number {
  return facts.filter(
    ({ type, data }) =>
      type === 'delivery.attempted' &&
      (ids.has(data.deliveryId) || ids.has(data.derivedFrom ?? '')),
  ).length
}

/** Text of a replay's response status, if there was a response. */
export function responseText(status: number | undefined): string | undefined {
  return status === undefined ? undefined : `Response ${status}`
}
