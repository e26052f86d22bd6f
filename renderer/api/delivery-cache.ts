import type { QueryClient } from '@tanstack/react-query'
import type { LiveEntry } from '../../server/contract/live.ts'
import {
  applyFacts,
  isDeliveryEntry,
  putFirst,
  skippedRows,
  type DeliveryPages,
} from './delivery-rows.ts'

/** Skipped ones are a list of their own: the control API tells of them only if asked. */
export function deliveryListKey(skipped: boolean): readonly ['delivery-list', boolean] {
  return ['delivery-list', skipped]
}

/** Puts what the feed tells into the loaded lists, without a request. */
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

/** Reads the lists again from the start; the first page stays until its successor is there. */
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
