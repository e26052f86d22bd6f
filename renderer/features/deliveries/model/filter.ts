import { deliverySubject, type QueriedWebhook } from '../../../../server/contract/query/subjects.ts'
import { decidedOf, succeededAtFirst } from './state-look.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'

/** Mark that only this browser knows. */
const bookmarked = 'bookmarked'

/** Values of `is:` with the marks of this browser. */
export const queryMarks: ReadonlyMap<string, readonly string[]> = new Map([
  ['is', ['edited', 'duplicate', 'synthetic', 'first-try', bookmarked]],
])

/** Prepares a row for the query. */
export function subjectOfRow(
  row: DeliveryRow,
  webhook: QueriedWebhook | undefined,
  isBookmarked: boolean,
) {
  const at = Date.parse(row.createdAt)
  const decided = { ...decidedOf(row), at, atFirst: succeededAtFirst(row) }
  return deliverySubject({ ...row, ...decided }, webhook, isBookmarked ? [bookmarked] : [])
}
