import { Link } from 'wouter'
import { useWebhookNames, useWebhooks } from '../api/webhooks.ts'
import { Badge } from '../components/badge.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { Gauge } from '../components/gauge.tsx'
import { Icon } from '../components/icon.tsx'
import { Unknown } from '../components/states.tsx'
import { DeliveriesPage } from '../features/deliveries/deliveries-page.tsx'
import { useParameter } from '../lib/parameters.ts'
import { WebhookEditor } from './webhook-editor.tsx'

/** The deliveries of one webhook, under the address that the hub has for them. */
export function WebhookActivityPage({
  id,
  deliveryId,
}: {
  id: string
  deliveryId: string | undefined
}) {
  const { isFetched } = useWebhooks()
  const [, edit] = useParameter('edit')
  const webhook = useWebhookNames().get(id)
  const unknown = isFetched && !webhook
  const failing = webhook?.health.state === 'failing'
  return (
    <>
      <DeliveriesPage
        webhookId={id}
        deliveryId={deliveryId}
        base={`/webhooks/${id}/activity`}
        title={webhook ? `Activity of ${webhook.name ?? webhook.target}` : 'Activity'}
        empty={
          unknown ? (
            <Unknown title="There is no such webhook">
              No webhook has the id {id}, and no delivery to it is kept.
            </Unknown>
          ) : undefined
        }
        lead={
          unknown ? (
            <>There is no webhook {id} any more.</>
          ) : (
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
          )
        }
        actions={
          <>
            {webhook && (
              <Button icon="edit" onClick={() => edit(id, { push: true })}>
                Edit
              </Button>
            )}
            <Link href="/webhooks" className={buttonClass()}>
              <Icon name="webhook" /> All webhooks
            </Link>
          </>
        }
      />
      <WebhookEditor />
    </>
  )
}
