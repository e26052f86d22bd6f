import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Ago } from '../../../ui/time.tsx'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import { lookOf } from '../model/state-look.ts'

interface DeliveryHeadingProps {
  delivery: DeliveryItem
  webhookName: string
}

export function DeliveryHeading({ delivery, webhookName }: DeliveryHeadingProps) {
  const look = lookOf(delivery)
  return (
    <div className="flex flex-wrap items-start gap-x-2 gap-y-1">
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="truncate font-mono text-sm font-semibold">
          {delivery.scope} <span className="text-faint">·</span> {delivery.action}
        </h2>
        <p className="truncate text-xs text-muted">
          {delivery.repo} → {webhookName} · <Ago time={delivery.createdAt} />
        </p>
      </div>
      <FindingMark of={{ deliveryId: delivery.id }} />
      <Badge tone={look.tone} icon={look.icon}>
        {look.word}
      </Badge>
    </div>
  )
}
