import { Link } from 'wouter'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useWebhookName } from '../../../api/webhooks.ts'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import { Badge, toneText } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { Countdown, Moment } from '../../../ui/time.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatTook, plural } from '../../../lib/format.ts'
import { percent } from '../../../lib/percent.ts'
import { rankOf, looksOf } from '../model/webhook-state.ts'
import type { WebhookActions } from '../model/webhook-actions.ts'
import { EnabledSwitch, SendTestButton, WebhookMenu } from './webhook-controls.tsx'
import { words } from '../words.ts'

interface WebhookTableProps {
  items: readonly WebhookItem[]
  openId: string
  onOpen: (webhook: WebhookItem) => void
  /** The open webhook is beside the table and has its actions. */
  isBeside: boolean
  actions: WebhookActions
}

/** Webhooks in rows: what matters of each, and a test event in one click. */
export function WebhookTable({ items, openId, onOpen, isBeside, actions }: WebhookTableProps) {
  const nameOf = useWebhookName()
  const columns = [...figureColumns(nameOf, onOpen), ...actionColumns(nameOf, actions)]
  return (
    <Table
      label={words.webhooks}
      rows={items}
      rowKey={({ id }) => id}
      columns={isBeside ? columns.filter(({ title }) => besides.has(title)) : columns}
      onOpen={onOpen}
      openKey={openId}
      isNarrow={isBeside}
    />
  )
}

const besides: ReadonlySet<string> = new Set([
  words.state,
  words.webhook,
  words.success,
  words.next,
])

type NameOf = (id: string) => string

function figureColumns(
  nameOf: NameOf,
  onOpen: (webhook: WebhookItem) => void,
): Column<WebhookItem>[] {
  return [
    {
      title: words.state,
      width: 8,
      sortBy: rankOf,
      renderCell: (webhook) => <StateCell webhook={webhook} />,
    },
    {
      title: words.webhook,
      minWidth: 13,
      inCard: 'head',
      sortBy: ({ id }) => nameOf(id),
      renderCell: (webhook) => (
        <NameCell webhook={webhook} name={nameOf(webhook.id)} onOpen={onOpen} />
      ),
    },
    {
      title: words.success,
      width: 6.25,
      align: 'right',
      sortBy: ({ deliveries }) => deliveries.successRate ?? undefined,
      renderCell: ({ id, deliveries: { attempted, succeeded, successRate } }) =>
        successRate === null ? (
          <None />
        ) : (
          <Link
            href={`/webhooks/${id}/activity?view=statistics`}
            title={`${succeeded} of ${plural(attempted, 'delivery', 'deliveries')} succeeded`}
            className={classNames('hover:underline', successRate < 1 && 'font-medium text-warn')}
          >
            {percent(successRate)}
          </Link>
        ),
    },
    {
      title: 'p95',
      width: 5,
      align: 'right',
      priority: 3,
      descendsFirst: true,
      sortBy: ({ p95Ms }) => p95Ms,
      renderCell: ({ p95Ms }) => (p95Ms === undefined ? <None /> : formatTook(p95Ms)),
    },
    {
      title: words.lastDelivery,
      width: 8.25,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ lastTriggerAt }) => lastTriggerAt,
      renderCell: ({ id, lastTriggerAt }) =>
        lastTriggerAt === undefined ? (
          <None />
        ) : (
          <Link href={`/webhooks/${id}/activity`} className="text-xs text-muted hover:underline">
            <Moment time={lastTriggerAt} />
          </Link>
        ),
    },
    {
      title: words.next,
      width: 7,
      priority: 2,
      sortBy: ({ nextRetryAt }) => nextRetryAt,
      renderCell: ({ nextRetryAt }) =>
        nextRetryAt === undefined ? (
          <None />
        ) : (
          <span className="text-xs text-warn">
            <Countdown time={nextRetryAt} />
          </span>
        ),
    },
  ]
}

function actionColumns(nameOf: NameOf, actions: WebhookActions): Column<WebhookItem>[] {
  return [
    {
      title: 'Test',
      width: 9.75,
      renderCell: (webhook) => <SendTestButton webhook={webhook} actions={actions} />,
    },
    {
      title: 'Actions',
      width: 6,
      align: 'right',
      inCard: 'action',
      renderCell: (webhook) => (
        <span className="inline-flex items-center gap-2">
          <EnabledSwitch webhook={webhook} name={nameOf(webhook.id)} />
          <WebhookMenu webhook={webhook} name={nameOf(webhook.id)} actions={actions} />
        </span>
      ),
    },
  ]
}

/** No value: not even zero. */
const None = () => <span className="text-faint">–</span>

/** Shows the state that explains most, with marks for further states. */
function StateCell({ webhook }: { webhook: WebhookItem }) {
  const [{ word, tone, icon }, ...more] = looksOf(webhook)
  const notes = [
    ...more.map((state) => state.word),
    ...(webhook.problem === undefined ? [] : [webhook.problem]),
    ...webhook.warnings,
  ]
  return (
    <span className="flex items-center gap-1.5">
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
      {notes.length > 0 && (
        <span title={notes.join('\n')} className={toneText.warn}>
          <Icon name="warning" className="size-3.5" />
          <span className="sr-only">{notes.join('. ')}</span>
        </span>
      )}
    </span>
  )
}

interface NameCellProps {
  webhook: WebhookItem
  name: string
  onOpen: (webhook: WebhookItem) => void
}

function NameCell({ webhook, name, onOpen }: NameCellProps) {
  const { id, target, owner } = webhook
  return (
    <span className="flex min-w-0 flex-col">
      <span className="flex min-w-0 items-center gap-1.5">
        <button
          type="button"
          title={name}
          className="min-w-0 truncate text-left font-medium hover:underline"
          onClick={() => onOpen(webhook)}
        >
          <span className="sr-only">Open </span>
          {name}
        </button>
        <span className="shrink-0">
          <FindingMark of={{ webhookId: id }} isSmall />
        </span>
      </span>
      <span
        title={`${target}\nowner ${owner.username}`}
        className="truncate font-mono text-2xs text-muted"
      >
        {target === name ? `owner ${owner.username}` : target}
      </span>
    </span>
  )
}
