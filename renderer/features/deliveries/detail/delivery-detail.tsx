import { useState, type ReactNode } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useDelivery } from '../../../api/deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Select } from '../../../ui/select.tsx'
import { CodePane } from '../../../shared/code-pane.tsx'
import { DetailPanel } from '../../../shared/detail-panel.tsx'
import type { DetailPane } from '../../../shared/detail-panes.ts'
import { useCompare } from '../../../shared/compare/use-compare.ts'
import { firstPane, shownAttempt } from '../model/first-pane.ts'
import { deliveryExamples } from '../model/snippets.ts'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliveryHeading } from './delivery-heading.tsx'
import { CompareDeliveries } from './compare-deliveries.tsx'
import { RequestPane } from './request-pane.tsx'
import { ResponsePane } from './response-pane.tsx'
import { RelatedPane } from './related-pane.tsx'
import { SummaryPane } from './summary-pane.tsx'
import { TimelinePane } from './timeline-pane.tsx'
import { words } from '../words.ts'

interface DeliveryDetailProps {
  id: string
  webhooks: ReadonlyMap<string, WebhookItem>
  webhookName: (id: string) => string
  pane: DetailPane | undefined
  onPane: (pane: DetailPane) => void
  onClose: () => void
}

export function DeliveryDetail(props: DeliveryDetailProps) {
  const query = useDelivery(props.id)
  return (
    <QueryView
      query={query}
      what="this delivery"
      wayOut={<Button onClick={props.onClose}>Back to the list</Button>}
    >
      {(delivery) => <Detail key={delivery.id} {...props} delivery={delivery} />}
    </QueryView>
  )
}

function Detail({
  delivery,
  webhooks,
  webhookName,
  pane,
  onPane,
  onClose,
}: DeliveryDetailProps & { delivery: DeliveryItem }) {
  const [attemptNumber, setAttemptNumber] = useState('')
  const { attempts } = delivery
  const compare = useCompare()
  const attempt =
    attempts.find(({ number }) => String(number) === attemptNumber) ?? shownAttempt(delivery)
  const { audit } = delivery
  // An audit sends wrong secrets, too, so that the secret of the webhook says nothing about what it sent.
  const webhook = audit === undefined ? webhooks.get(delivery.webhookId) : undefined
  /** Request and response belong to one attempt of several. */
  const ofAttempt = (content: ReactNode) => (
    <>
      {attempts.length > 1 && (
        <AttemptSelect attempts={attempts} shown={attempt} onChange={setAttemptNumber} />
      )}
      {content}
    </>
  )
  const name = audit === undefined ? webhookName(delivery.webhookId) : words.auditOf(audit.module)
  return (
    <article aria-label={words.delivery} className="flex h-full min-h-0 flex-col">
      <DetailPanel
        label="Parts of the delivery"
        heading={<DeliveryHeading delivery={delivery} webhookName={name} />}
        actions={
          <DeliveryActions
            delivery={delivery}
            attempt={attempt}
            secrets={webhook}
            hasWebhook={webhook !== undefined}
            onCompare={compare.open}
          />
        }
        pane={pane ?? firstPane(delivery)}
        onPane={onPane}
        onClose={onClose}
        contents={{
          summary: {
            renderContent: () => <SummaryPane delivery={delivery} webhook={webhook} />,
          },
          request: {
            renderContent: () =>
              ofAttempt(<RequestPane delivery={delivery} attempt={attempt} secrets={webhook} />),
          },
          response: { renderContent: () => ofAttempt(<ResponsePane attempt={attempt} />) },
          timeline: {
            count: attempts.length,
            renderContent: () => <TimelinePane delivery={delivery} />,
          },
          related: { renderContent: () => <RelatedPane delivery={delivery} webhook={webhook} /> },
          code: {
            renderContent: () => (
              <CodePane
                label="Code for this delivery"
                examples={deliveryExamples(delivery, attempt, webhook)}
              />
            ),
          },
        }}
      />
      {compare.isOpen && (
        <CompareDeliveries delivery={delivery} compare={compare} webhookName={webhookName} />
      )}
    </article>
  )
}

interface AttemptSelectProps {
  attempts: readonly AttemptItem[]
  shown: AttemptItem | undefined
  onChange: (number: string) => void
}

function AttemptSelect({ attempts, shown, onChange }: AttemptSelectProps) {
  return (
    <div className="px-4 pt-3">
      <Select
        label={words.attempt}
        value={String(shown?.number ?? '')}
        onChange={onChange}
        options={attempts.map(({ number, source, status, error }) => ({
          value: String(number),
          label: `Attempt ${number} (${source}): ${status ?? error?.class ?? words.inFlight}`,
        }))}
      />
    </div>
  )
}
