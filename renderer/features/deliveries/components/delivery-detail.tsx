import { useState, type ReactNode } from 'react'
import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useCancelDelivery, useDelivery, useReplay } from '../../../api/deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { copyText } from '../../../components/copy.tsx'
import { Menu } from '../../../components/menu.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { Select } from '../../../components/select.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { Ago } from '../../../components/time.tsx'
import { notify } from '../../../components/toast.tsx'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { payloadText, toCurl } from '../lib/snippets.ts'
import { lookOf } from '../lib/state-look.ts'
import { CodePane } from './code-pane.tsx'
import { DiffPane } from './diff-pane.tsx'
import { EditReplayDialog } from './edit-replay-dialog.tsx'
import { ReplayManyDialog } from './replay-many-dialog.tsx'
import { RequestPane } from './request-pane.tsx'
import { ResponsePane } from './response-pane.tsx'
import { TimelinePane } from './timeline-pane.tsx'
import { WhyPane } from './why-pane.tsx'

export const panes = ['timeline', 'request', 'response', 'why', 'diff', 'code'] as const
export type Pane = (typeof panes)[number]

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
      wayOut={<Button onClick={props.onClose}>To the list</Button>}
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
  const [dialog, setDialog] = useState<'edit' | 'many'>()
  const [attemptNumber, setAttemptNumber] = useState('')
  const replay = useReplay()
  const cancel = useCancelDelivery()
  const look = lookOf({ ...delivery, status: delivery.attempts.at(-1)?.status })
  const skipped = delivery.state === 'skipped'
  const attempt =
    delivery.attempts.find(({ number }) => String(number) === attemptNumber) ??
    delivery.attempts.at(-1)
  const secret = webhooks.get(delivery.webhookId)?.secret
  const unfinished = ['held', 'queued', 'waiting'].includes(delivery.state)

  function replayNow(): void {
    if (skipped || replay.isPending) return
    replay.mutate(
      { id: delivery.id },
      {
        onSuccess: (done) =>
          notify('Replayed', done.status === undefined ? undefined : `Answered ${done.status}`),
      },
    )
  }

  function copyCurl(): void {
    if (attempt?.request)
      void copyText(toCurl(attempt.request, delivery.payload, secret), 'curl command')
  }

  useHotkeys({
    r: replayNow,
    R: () => !skipped && setDialog('many'),
    e: () => !skipped && setDialog('edit'),
    c: copyCurl,
  })

  /** Request and response belong to one attempt of several. */
  const ofAttempt = (content: ReactNode) => (
    <>
      {delivery.attempts.length > 1 && (
        <div className="px-4 pt-3">
          <Select
            label="Attempt"
            value={String(attempt?.number ?? '')}
            onChange={setAttemptNumber}
            options={delivery.attempts.map(({ number, source, status, error }) => ({
              value: String(number),
              label: `Attempt ${number} (${source}): ${status ?? error?.class ?? 'in flight'}`,
            }))}
          />
        </div>
      )}
      {content}
    </>
  )

  return (
    <article aria-label="Delivery" className="flex h-full min-h-0 flex-col">
      <header className="flex flex-col gap-2 px-4 pt-3 pb-2">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <h2 className="truncate font-mono text-sm font-semibold">
              {delivery.scope} <span className="text-faint">·</span> {delivery.action}
            </h2>
            <p className="truncate text-xs text-muted">
              {delivery.repo} → {webhookName(delivery.webhookId)} ·{' '}
              <Ago time={delivery.createdAt} />
            </p>
          </div>
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
          <IconButton icon="cross" size="small" label="Close (Esc)" onClick={onClose} />
        </div>
        <div className="flex flex-wrap gap-1.5">
          <Button
            size="small"
            icon="retry"
            hotkey="r"
            disabled={skipped}
            busy={replay.isPending}
            onClick={replayNow}
          >
            {delivery.state === 'waiting' ? 'Retry now' : 'Replay'}
          </Button>
          <Button
            size="small"
            icon="edit"
            hotkey="e"
            disabled={skipped}
            onClick={() => setDialog('edit')}
          >
            Edit and replay
          </Button>
          {unfinished && (
            <Button
              size="small"
              icon="cross"
              busy={cancel.isPending}
              onClick={() => cancel.mutate(delivery.id)}
            >
              Cancel
            </Button>
          )}
          <Menu
            trigger={<Button size="small" icon="more" aria-label="More actions" />}
            items={[
              {
                label: 'Replay several times…',
                icon: 'retry',
                hotkey: 'R',
                disabled: skipped,
                onSelect: () => setDialog('many'),
              },
              {
                label: 'Copy as curl',
                icon: 'copy',
                hotkey: 'c',
                disabled: !attempt?.request,
                onSelect: copyCurl,
              },
              {
                label: 'Copy payload',
                icon: 'copy',
                disabled: skipped,
                onSelect: () => void copyText(payloadText(delivery.payload), 'Payload'),
              },
              {
                label: 'Copy delivery as JSON',
                icon: 'copy',
                onSelect: () => void copyText(payloadText(delivery), 'Delivery'),
              },
            ]}
          />
        </div>
      </header>
      <Tabs
        label="Parts of the delivery"
        value={pane}
        onChange={onPane}
        tabs={[
          {
            value: 'timeline',
            label: 'Timeline',
            count: delivery.attempts.length,
            renderContent: () => <TimelinePane delivery={delivery} />,
          },
          {
            value: 'request',
            label: 'Request',
            renderContent: () =>
              ofAttempt(<RequestPane delivery={delivery} attempt={attempt} secret={secret} />),
          },
          {
            value: 'response',
            label: 'Response',
            renderContent: () => ofAttempt(<ResponsePane attempt={attempt} />),
          },
          {
            value: 'why',
            label: 'Why',
            renderContent: () => (
              <WhyPane delivery={delivery} webhook={webhooks.get(delivery.webhookId)} />
            ),
          },
          {
            value: 'diff',
            label: 'Diff',
            renderContent: () => (
              <DiffPane
                delivery={delivery}
                rows={rows}
                markedId={markedId}
                webhookName={webhookName}
              />
            ),
          },
          {
            value: 'code',
            label: 'Code',
            renderContent: () => <CodePane delivery={delivery} secret={secret} />,
          },
        ]}
      />
      {dialog === 'edit' && (
        <EditReplayDialog delivery={delivery} open onOpenChange={() => setDialog(undefined)} />
      )}
      {dialog === 'many' && (
        <ReplayManyDialog deliveryId={delivery.id} open onOpenChange={() => setDialog(undefined)} />
      )}
    </article>
  )
}
