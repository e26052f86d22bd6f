import type { DeliveryList } from '../../../../server/contract/control-deliveries.ts'
import { callApi } from '../../../api/client.ts'
import type { DeliveryListFilters } from '../../../api/delivery-cache.ts'

/** Smaller pages than for rows, because whole deliveries carry payloads and responses. */
const pageSize = 250

/**
 * All deliveries of a list with payloads and attempts, newest first, one JSON object on a line. Attempts of audits are
 * left out.
 * @param first cursor before the newest one; undefined: all
 */
export async function exportDeliveries(
  filters: DeliveryListFilters,
  first: string | undefined,
): Promise<Blob> {
  const lines: string[] = []
  let cursor = first
  do {
    const page: DeliveryList = await callApi('GET deliveries', {
      query: { ...filters, cursor, limit: pageSize },
    })
    const own = page.items.filter(({ audit }) => audit === undefined)
    lines.push(...own.map((item) => `${JSON.stringify(item)}\n`))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return new Blob(lines, { type: 'application/x-ndjson' })
}
