import { useState, type ReactNode } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useDelivery } from '../../../api/deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Select } from '../../../ui/select.tsx'
import { Tabs, type Tab } from '../../../ui/tabs.tsx'
import { panes, type Pane } from '../model/panes.ts'
import { CodePane } from './code-pane.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliveryHeading } from './delivery-heading.tsx'
import { DiffPane } from './diff-pane.tsx'
import { RequestPane } from './request-pane.tsx'
import { ResponsePane } from './response-pane.tsx'
import { StoryPane } from './story-pane.tsx'
import { TimelinePane } from './timeline-pane.tsx'
import { WhyPane } from './why-pane.tsx'
import { words } from '../words.ts'

interface DeliveryDetailProps {
  id: string
  rows: readonly DeliveryRow[]
  webhooks: ReadonlyMap<string, WebhookItem>
  webhookName: (id: string) => string
  markedId: string | undefined
  pane: Pane
  onPane: (pane: Pane) => void
  onClose: () => void
}

export function DeliveryDetail(props: DeliveryDetailProps) {
  const query = useDelivery(props.id)
  return (
    <QueryView
      query={query}
      what="this delivery"
      wayOut={<Button onClick={props.onClose}>{words.toList}</Button>}
    >
      {(delivery) => <Detail key={delivery.id} {...props} delivery={delivery} />}
    </QueryView>
  )
}

function Detail({
  delivery,
  rows,
  webhooks,
  webhookName,
  markedId,
  pane,
  onPane,
  onClose,
}: DeliveryDetailProps & { delivery: DeliveryItem }) {
  const [attemptNumber, setAttemptNumber] = useState('')
  const { attempts } = delivery
  const attempt = attempts.find(({ number }) => String(number) === attemptNumber) ?? attempts.at(-1)
  const webhook = webhooks.get(delivery.webhookId)
  /** Request and response belong to one attempt of several. */
  const ofAttempt = (content: ReactNode) => (
    <>
      {attempts.length > 1 && (
        <AttemptSelect attempts={attempts} shown={attempt} onChange={setAttemptNumber} />
      )}
      {content}
    </>
  )
  const contents: Record<Pane, Omit<Tab<Pane>, 'value'>> = {
    timeline: {
      label: words.timeline,
      count: attempts.length,
      renderContent: () => <TimelinePane delivery={delivery} />,
    },
    request: {
      label: words.request,
      renderContent: () =>
        ofAttempt(<RequestPane delivery={delivery} attempt={attempt} secrets={webhook} />),
    },
    response: {
      label: words.response,
      renderContent: () => ofAttempt(<ResponsePane attempt={attempt} />),
    },
    why: {
      label: words.why,
      renderContent: () => <WhyPane delivery={delivery} webhook={webhook} />,
    },
    story: {
      label: words.causeAndEffect,
      renderContent: () => <StoryPane delivery={delivery} />,
    },
    diff: {
      label: words.diff,
      renderContent: () => (
        <DiffPane delivery={delivery} rows={rows} markedId={markedId} webhookName={webhookName} />
      ),
    },
    code: {
      label: words.code,
      renderContent: () => <CodePane delivery={delivery} secrets={webhook} />,
    },
  }
  return (
    <article aria-label="Delivery" className="flex h-full min-h-0 flex-col">
      <header className="flex flex-col gap-2 px-4 pt-3 pb-2">
        <DeliveryHeading
          delivery={delivery}
          webhookName={webhookName(delivery.webhookId)}
          onClose={onClose}
        />
        <DeliveryActions
          delivery={delivery}
          attempt={attempt}
          secrets={webhook}
          hasWebhook={webhook !== undefined}
        />
      </header>
      <Tabs
        label={words.partsOfTheDelivery}
        value={pane}
        onChange={onPane}
        tabs={panes.map((value) => ({ value, ...contents[value] }))}
      />
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
          label: words.attemptLabel(number, source, status ?? error?.class ?? words.inFlight),
        }))}
      />
    </div>
  )
}
