import type { QueryClient } from '@tanstack/react-query'
import type { LiveEntry } from '../../server/contract/live.ts'
import {
  applyFacts,
  isDeliveryEntry,
  putFirst,
  skippedRows,
  type DeliveryPages,
} from './delivery-rows.ts'

/** Lists of deliveries: the control API returns skipped ones and attempts of audits only on request. */
export const deliveryLists = ['sent', 'skipped', 'audited'] as const
export type DeliveryListName = (typeof deliveryLists)[number]

export function deliveryListKey(name: DeliveryListName): readonly ['delivery-list', string] {
  return ['delivery-list', name]
}

/** Applies facts of the live feed to the loaded lists, without a request. */
export function updateDeliveryList(client: QueryClient, entries: readonly LiveEntry[]): void {
  const facts = entries.filter(isDeliveryEntry)
  if (facts.length === 0) return
  const sent = facts.filter((fact) => fact.type !== 'delivery.skipped')
  const pages = client.getQueryData<DeliveryPages>(deliveryListKey('sent'))
  if (pages && sent.length > 0) {
    const updated = applyFacts(pages, sent)
    if (updated) client.setQueryData<DeliveryPages>(deliveryListKey('sent'), updated)
    else restartDeliveryList(client)
  }
  const skipped = facts
    .filter((fact) => fact.type === 'delivery.skipped')
    .flatMap(skippedRows)
    .toReversed()
  client.setQueryData<DeliveryPages>(
    deliveryListKey('skipped'),
    (known) => known && putFirst(known, skipped),
  )
}

/** Reloads the lists from the start; the first page stays until its successor arrives. */
export function restartDeliveryList(client: QueryClient): void {
  for (const name of deliveryLists) {
    client.setQueryData<DeliveryPages>(
      deliveryListKey(name),
      (pages) =>
        pages && { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) },
    )
  }
  void client.invalidateQueries({ queryKey: ['delivery-list'] })
}
