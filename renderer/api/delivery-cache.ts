import type { QueryClient } from '@tanstack/react-query'
import type { LiveEntry } from '../../server/contract/live.ts'
import {
  applyFacts,
  isDeliveryEntry,
  putFirst,
  skippedRows,
  type DeliveryPages,
} from './delivery-rows.ts'

/** Skipped deliveries are a separate list: the control API returns them only on request. */
export function deliveryListKey(skipped: boolean): readonly ['delivery-list', boolean] {
  return ['delivery-list', skipped]
}

/** Applies facts of the live feed to the loaded lists, without a request. */
export function updateDeliveryList(client: QueryClient, entries: readonly LiveEntry[]): void {
  const facts = entries.filter(isDeliveryEntry)
  if (facts.length === 0) return
  const sent = facts.filter((fact) => fact.type !== 'delivery.skipped')
  const pages = client.getQueryData<DeliveryPages>(deliveryListKey(false))
  if (pages && sent.length > 0) {
    const updated = applyFacts(pages, sent)
    if (updated) client.setQueryData<DeliveryPages>(deliveryListKey(false), updated)
    else restartDeliveryList(client)
  }
  const skipped = facts
    .filter((fact) => fact.type === 'delivery.skipped')
    .flatMap(skippedRows)
    .toReversed()
  client.setQueryData<DeliveryPages>(
    deliveryListKey(true),
    (known) => known && putFirst(known, skipped),
  )
}

/** Reloads the lists from the start; the first page stays until its successor arrives. */
export function restartDeliveryList(client: QueryClient): void {
  for (const skipped of [false, true]) {
    client.setQueryData<DeliveryPages>(
      deliveryListKey(skipped),
      (pages) =>
        pages && { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) },
    )
  }
  void client.invalidateQueries({ queryKey: ['delivery-list'] })
}
