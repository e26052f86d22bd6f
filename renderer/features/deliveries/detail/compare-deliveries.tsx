import { useMemo } from 'react'
import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { useDelivery } from '../../../api/deliveries.ts'
import {
  type Candidate,
  candidatesOf,
  CompareDialog,
  Comparison,
} from '../../../shared/compare/compare-dialog.tsx'
import type { useCompare } from '../../../shared/compare/use-compare.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { deliveryFacts } from '../model/delivery-facts.ts'

interface CompareDeliveriesProps {
  delivery: DeliveryItem
  rows: readonly DeliveryRow[]
  compare: ReturnType<typeof useCompare>
  webhookName: (id: string) => string
}

export function CompareDeliveries({
  delivery,
  rows,
  compare,
  webhookName,
}: CompareDeliveriesProps) {
  const { markedId } = compare
  const candidates = useMemo(
    () => findCandidates(delivery, rows, markedId, webhookName),
    [delivery, rows, markedId, webhookName],
  )
  return (
    <CompareDialog
      candidates={candidates}
      otherId={compare.otherId}
      onOther={compare.setOther}
      onClose={compare.close}
      renderComparison={(otherId) => <WithOther delivery={delivery} otherId={otherId} />}
    />
  )
}

function WithOther({ delivery, otherId }: { delivery: DeliveryItem; otherId: string }) {
  const other = useDelivery(otherId)
  return (
    <QueryView query={other} what="the other delivery">
      {(before) => <Comparison before={deliveryFacts(before)} after={deliveryFacts(delivery)} />}
    </QueryView>
  )
}

/** Deliveries to compare with: the marked one, the original, the previous event, the same event at another webhook. */
function findCandidates(
  delivery: DeliveryItem,
  rows: readonly DeliveryRow[],
  markedId: string | undefined,
  webhookName: (id: string) => string,
): Candidate[] {
  const made = Date.parse(delivery.createdAt)
  const before = rows.find(
    (row) =>
      row.id !== delivery.id &&
      row.webhookId === delivery.webhookId &&
      row.scope === delivery.scope &&
      row.action === delivery.action &&
      Date.parse(row.createdAt) <= made,
  )
  const original = delivery.duplicate
    ? 'Original of this duplicate'
    : 'Original of this edited replay'
  return candidatesOf(delivery.id, markedId, [
    [delivery.derivedFrom, original],
    [before?.id, before ? `Previous ${before.scope} · ${before.action} of ${before.repo}` : ''],
    ...rows
      .filter((row) => row.eventId === delivery.eventId)
      .map((row) => [row.id, `Same event at ${webhookName(row.webhookId)}`] as const),
  ])
}
