import type { DeliveryItem, DeliveryList } from '../../../../server/contract/control-deliveries.ts'
import { callApi } from '../../../api/client.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { listedDeliveryStates } from '../../../../server/contract/words/webhook-words.ts'

/** Skipped deliveries are returned only if asked for, together with every other state. */
const everyState = listedDeliveryStates.join(',')

/** Smaller pages than for rows, because whole deliveries carry payloads and responses. */
const pageSize = 250

/**
 * The deliveries behind these rows with payloads and attempts, in the order of the rows, one JSON
 * object on a line.
 */
export async function exportDeliveries(rows: readonly DeliveryRow[]): Promise<string> {
  const wanted = new Set(rows.map(({ id }) => id))
  const withSkipped = rows.some(({ state }) => state === 'skipped')
  const found = new Map<string, DeliveryItem>()
  let cursor: string | undefined
  do {
    const page: DeliveryList = await callApi('GET deliveries', {
      query: { cursor, limit: pageSize, state: withSkipped ? everyState : undefined },
    })
    for (const item of page.items) if (wanted.has(item.id)) found.set(item.id, item)
    cursor = page.nextCursor
  } while (cursor !== undefined && found.size < wanted.size)
  return rows
    .flatMap(({ id }) => found.get(id) ?? [])
    .map((item) => `${JSON.stringify(item)}\n`)
    .join('')
}
