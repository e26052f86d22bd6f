import { readRows } from '../../../api/deliveries.ts'
import type { DeliveryListFilters } from '../../../api/delivery-cache.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'

/**
 * Finds the failed delivery next to another one of a list.
 * @param cursor before the newest delivery that is shown
 * @param id without one: the first failure
 * @param step 1: the next older one, -1: the next newer one
 */
export async function findFailure(
  filters: DeliveryListFilters,
  cursor: string,
  id: string | undefined,
  step: 1 | -1,
): Promise<DeliveryRow | undefined> {
  const failed = { ...filters, q: `${filters.q ?? ''} status:failed,failing`.trim() }
  if (id === undefined) {
    return step === 1 ? (await readRows(failed, { cursor, skip: 0, limit: 1 })).rows[0] : undefined
  }
  const { rows, start } = await readRows(failed, { cursor, around: id, limit: 3 })
  const own = rows.findIndex((row) => row.id === id)
  if (own !== -1) return rows[own + step]
  // Not a failure itself: the page begins with the failure before its place, if there is one.
  const place =
    start > 0 ? start + 1 : (await readRows(failed, { cursor, around: id, limit: 1 })).start
  return rows[place - start + (step === 1 ? 0 : -1)]
}
