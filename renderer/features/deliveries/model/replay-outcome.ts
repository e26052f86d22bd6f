import type { ReplayedItem, ReplayedMany } from '../../../../server/contract/control-deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'

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

/**
 * Sorts ids by the creation of their deliveries; unlisted ones come first.
 * @param rows newest first
 */
export function oldestFirst(ids: readonly string[], rows: readonly DeliveryRow[]): string[] {
  const places = new Map(rows.map(({ id }, index) => [id, index]))
  const place = (id: string) => places.get(id) ?? Infinity
  return ids.toSorted((a, b) => (place(a) === place(b) ? 0 : place(b) - place(a)))
}

/** Counts attempts of these deliveries and of their duplicates, which is the progress. */
export function countAttempts(rows: readonly DeliveryRow[], ids: ReadonlySet<string>): number {
  let count = 0
  for (const { id, derivedFrom = '', attempts } of rows) {
    if (ids.has(id) || ids.has(derivedFrom)) count += attempts
  }
  return count
}

/** Text of a replay's response status, if there was a response. */
export function responseText(status: number | undefined): string | undefined {
  return status === undefined ? undefined : `Response ${status}`
}
