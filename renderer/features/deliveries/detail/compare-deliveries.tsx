import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { useComparable, useDelivery } from '../../../api/deliveries.ts'
import { candidatesOf, CompareDialog, Comparison } from '../../../shared/compare/compare-dialog.tsx'
import type { useCompare } from '../../../shared/compare/use-compare.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { deliveryFacts } from '../model/delivery-facts.ts'

interface CompareDeliveriesProps {
  delivery: DeliveryItem
  compare: ReturnType<typeof useCompare>
  webhookName: (id: string) => string
}

export function CompareDeliveries({ delivery, compare, webhookName }: CompareDeliveriesProps) {
  const comparable = useComparable(delivery)
  if (comparable.isPending) return null
  const { previous, ofEvent = [] } = comparable.data ?? {}
  const original = delivery.duplicate
    ? 'Original of this duplicate'
    : 'Original of this edited replay'
  const candidates = candidatesOf(delivery.id, compare.markedId, [
    [delivery.derivedFrom, original],
    [
      previous?.id,
      previous ? `Previous ${previous.scope} · ${previous.action} of ${previous.repo}` : '',
    ],
    ...ofEvent.map((row) => [row.id, `Same event at ${webhookName(row.webhookId)}`] as const),
  ])
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
