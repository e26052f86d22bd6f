import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { WebhookItem } from '../../server/contract/control-webhooks.ts'
import { useWebhookName, useWebhookNames, useWebhooks } from '../api/webhooks.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Gauge } from '../ui/gauge.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { Unknown } from '../ui/states.tsx'
import { DeliveriesPage } from '../features/deliveries/page.tsx'
import { WebhookStatistics } from '../features/webhooks/detail/webhook-statistics.tsx'
import { useParameter } from '../lib/parameters.ts'
import { WebhookEditor } from './webhook-editor.tsx'
import { words } from './words.ts'

const views = ['deliveries', 'statistics'] as const

interface WebhookActivityPageProps {
  id: string
  deliveryId: string | undefined
}

/** Deliveries and statistics of one webhook, at the same path as on the Hub. */
export function WebhookActivityPage({ id, deliveryId }: WebhookActivityPageProps) {
  const { isFetched } = useWebhooks()
  const nameOf = useWebhookName()
  const [view] = useParameter('view', views)
  const webhook = useWebhookNames().get(id)
  const unknown = isFetched && !webhook
  const title = webhook ? `Activity of ${nameOf(id)}` : 'Activity'
  const lead: ReactNode = unknown
    ? `Webhook ${id} does not exist.`
    : webhook && <Lead webhook={webhook} />
  const shared = { title, lead, actions: <Actions webhook={webhook} /> }
  return (
    <>
      {view === 'statistics' && webhook ? (
        <Page {...shared}>
          <WebhookStatistics id={id} />
        </Page>
      ) : (
        <DeliveriesPage
          {...shared}
          webhookId={id}
          deliveryId={deliveryId}
          base={`/webhooks/${id}/activity`}
          empty={
            unknown ? (
              <Unknown title={words.webhookUnknown}>No deliveries to it are kept.</Unknown>
            ) : undefined
          }
        />
      )}
      <WebhookEditor />
    </>
  )
}

function Lead({ webhook }: { webhook: WebhookItem }) {
  const failing = webhook.health.state === 'failing'
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-mono text-xs break-all">{webhook.target}</span>
      <Badge tone={webhook.status === 'enabled' && !failing ? 'ok' : 'warn'}>
        {failing ? `${webhook.status}, failing` : webhook.status}
      </Badge>
      {webhook.usage.limit !== null && (
        <Gauge
          inline
          label="Deliveries in the last 24 hours"
          used={webhook.usage.used}
          limit={webhook.usage.limit}
        />
      )}
    </span>
  )
}

function Actions({ webhook }: { webhook: WebhookItem | undefined }) {
  const [view, setView] = useParameter('view', views)
  const [, edit] = useParameter('edit')
  return (
    <>
      {webhook && (
        <>
          <Segments
            label="View"
            value={view}
            onChange={setView}
            options={[
              { value: 'deliveries', label: words.deliveries },
              { value: 'statistics', label: 'Statistics' },
            ]}
          />
          <Button icon="edit" onClick={() => edit(webhook.id, { push: true })}>
            Edit
          </Button>
        </>
      )}
      <Link href="/webhooks" className={buttonClass()}>
        <Icon name="webhook" /> All webhooks
      </Link>
    </>
  )
}
