import { Link } from 'wouter'
import { useWebhookNames } from '../api/webhooks.ts'
import { Badge } from '../components/badge.tsx'
import { buttonClass } from '../components/button.tsx'
import { Gauge } from '../components/gauge.tsx'
import { Icon } from '../components/icon.tsx'
import { DeliveriesPage } from '../features/deliveries/deliveries-page.tsx'

/** The deliveries of one webhook, under the address that the hub has for them. */
export function WebhookActivityPage({
  id,
  deliveryId,
}: {
  id: string
  deliveryId: string | undefined
}) {
  const webhook = useWebhookNames().get(id)
  const failing = webhook?.health.state === 'failing'
  return (
    <DeliveriesPage
      webhookId={id}
      deliveryId={deliveryId}
      base={`/webhooks/${id}/activity`}
      title={webhook ? `Activity of ${webhook.name ?? webhook.target}` : 'Activity'}
      lead={
        webhook && (
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-mono text-xs break-all">{webhook.target}</span>
            <Badge tone={webhook.status === 'enabled' && !failing ? 'ok' : 'warn'}>
              {failing ? `${webhook.status}, failing` : webhook.status}
            </Badge>
            {webhook.usage.limit !== null && (
              <Gauge
                label="Deliveries of the last 24 hours"
                used={webhook.usage.used}
                limit={webhook.usage.limit}
              />
            )}
          </span>
        )
      }
      actions={
        <Link href="/webhooks" className={buttonClass()}>
          <Icon name="webhook" /> All webhooks
        </Link>
      }
    />
  )
}
