import { Link } from 'wouter'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useUpdateWebhook } from '../../../api/webhooks.ts'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { Button, IconButton, buttonClass } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Gauge } from '../../../ui/gauge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Moment } from '../../../ui/time.tsx'
import { notify } from '../../../ui/toast.tsx'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import { FailingNow } from '../../../shared/webhook-health.tsx'
import { plural } from '../../../lib/format.ts'
import { WebhookSparkline } from './webhook-sparkline.tsx'
import { useDeleteWebhook, useRecover } from '../model/requests.ts'
import { words } from '../words.ts'

interface WebhookCardProps {
  webhook: WebhookItem
  onEdit: () => void
  onAudit: () => void
}

export function WebhookCard(props: WebhookCardProps) {
  const { webhook } = props
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <Heading webhook={webhook} />
        <Enabled webhook={webhook} />
      </div>
      <Trouble webhook={webhook} />
      <Marks webhook={webhook} />
      {/* At the foot: cards side by side have it at the same height. */}
      <div className="mt-auto">
        <WebhookSparkline id={webhook.id} />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-3 border-t border-line pt-3">
        <Usage webhook={webhook} />
        <Actions {...props} />
      </div>
    </article>
  )
}

interface PartProps {
  webhook: WebhookItem
}

const isSuspended = ({ status }: WebhookItem) => status === 'suspended-after-failure'

function Heading({ webhook }: PartProps) {
  const title = webhook.name ?? webhook.target
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 title={title} className="min-w-0 truncate text-base font-semibold">
          {title}
        </h2>
        {isSuspended(webhook) && (
          <Badge tone="bad" icon="warning">
            {words.suspended}
          </Badge>
        )}
        {!isSuspended(webhook) && webhook.health.state === 'failing' && (
          <Badge tone="warn" icon="warning">
            {words.failing}
          </Badge>
        )}
        <FindingMark of={{ webhookId: webhook.id }} />
        {webhook.status === 'disabled' && <Badge icon="minus">{words.disabled}</Badge>}
        {webhook.awaitedSince !== undefined && <Badge icon="clock">{words.awaited}</Badge>}
        {webhook.held && (
          <Badge tone="warn" icon="hold">
            {words.pausedBadge}
          </Badge>
        )}
      </div>
      <p className="truncate text-xs text-faint" title={webhook.owner.username}>
        {words.ownedBy} {webhook.owner.username}
      </p>
      <p className="mt-0.5 flex items-center gap-1.5 font-mono text-xs break-all text-muted">
        <Icon name={webhook.url ? 'webhook' : 'job'} className="size-3.5 text-faint" />
        <span className="line-clamp-2" title={webhook.target}>
          {webhook.target}
        </span>
      </p>
    </div>
  )
}

function Enabled({ webhook: { id, name, target, status } }: PartProps) {
  const update = useUpdateWebhook()
  return (
    <Switch
      checked={status === 'enabled'}
      busy={update.isPending}
      onChange={(checked) =>
        update.mutate({ id, change: { status: checked ? 'enabled' : 'disabled' } })
      }
    >
      <span className="sr-only">
        {name ?? target} {words.enabled}
      </span>
    </Switch>
  )
}

/** Reasons why deliveries stop or fail. */
function Trouble({ webhook }: PartProps) {
  return (
    <>
      {webhook.problem && (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">{webhook.problem}</p>
      )}

      {webhook.warnings.map((warning) => (
        <p key={warning} className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">
          {warning}
        </p>
      ))}

      {isSuspended(webhook) && (
        <p className="rounded-lg bg-bad-soft px-3 py-2 text-xs text-bad">
          {words.suspendedAfter}{' '}
          {plural(webhook.consecutiveFailures, 'failed delivery', 'failed deliveries')}{' '}
          {words.inARow}
          {webhook.suspendedAt && (
            <>
              {words.suspendedSince} <Moment time={webhook.suspendedAt} />
            </>
          )}
          {webhook.suspendedBecause && `: ${webhook.suspendedBecause}`}
          {words.enableToClear}
        </p>
      )}

      {!isSuspended(webhook) && webhook.health.state === 'failing' && (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">
          <FailingNow health={webhook.health} webhookId={webhook.id} />
        </p>
      )}
    </>
  )
}

/** Watched items and options. */
function Marks({ webhook }: PartProps) {
  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-center gap-1">
      {webhook.watched.map(({ type, name }) => (
        <Chip key={`${type} ${name}`}>
          {type}:{name}
        </Chip>
      ))}
      {webhook.domains.map((domain) => (
        <Badge key={domain}>{domain}</Badge>
      ))}
      {webhook.order !== 'parallel' && <Badge tone="accent">{webhook.order}</Badge>}
      {webhook.secret !== undefined && <Badge icon="lock">{words.hasSecret}</Badge>}
    </div>
  )
}

function Usage({ webhook: { id, usage, lastTriggerAt } }: PartProps) {
  return (
    <div className="flex flex-wrap items-end gap-5 text-xs text-muted">
      {usage.limit !== null && (
        <Gauge label={words.last24Hours} used={usage.used} limit={usage.limit} />
      )}
      <span>
        {lastTriggerAt ? (
          <>
            {words.lastDelivery} <Moment time={lastTriggerAt} />
          </>
        ) : (
          words.noDeliveriesYet
        )}
      </span>
      <CopyableId text={id} what="Webhook id" />
    </div>
  )
}

/** Starts or ends the wait for a receiver. */
function waitItems(
  { awaitedSince, url, deliveries: { failing, failed } }: WebhookItem,
  change: (isWanted: boolean) => void,
) {
  if (awaitedSince !== undefined) {
    return [{ label: words.stopWaiting, icon: 'cross' as const, onSelect: () => change(false) }]
  }
  if (url === undefined || failing + failed === 0) return []
  return [{ label: words.replayWhenBack, icon: 'clock' as const, onSelect: () => change(true) }]
}

function Actions({ webhook, onEdit, onAudit }: WebhookCardProps) {
  const { id, name, target, url, held, createdAt } = webhook
  const update = useUpdateWebhook()
  const recover = useRecover()
  const deleting = useQuestion(useDeleteWebhook())
  function recoverAll(): void {
    recover.mutate(
      { id, since: createdAt },
      {
        onSuccess: ({ deliveries }) =>
          notify(
            deliveries === 0
              ? words.nothingToRecover
              : words.queuedAgain(plural(deliveries, 'delivery', 'deliveries')),
          ),
      },
    )
  }
  return (
    <div className="flex gap-1.5">
      <Button
        size="small"
        icon={held ? 'play' : 'hold'}
        busy={update.isPending}
        onClick={() => update.mutate({ id, change: { held: !held } })}
      >
        {held ? words.resume : words.pause}
      </Button>
      <Link href={`/webhooks/${id}/activity`} className={buttonClass('plain', 'small')}>
        <Icon name="delivery" className="size-3.5" /> {words.activity}
      </Link>
      <Menu
        trigger={
          <IconButton icon="more" size="small" look="plain" label={words.moreFor(name ?? target)} />
        }
        items={[
          { label: words.edit, icon: 'edit', onSelect: onEdit },
          ...waitItems(webhook, (replayWhenBack) =>
            update.mutate({ id, change: { replayWhenBack } }),
          ),
          ...(url === undefined
            ? []
            : [{ label: words.auditReceiver, icon: 'check' as const, onSelect: onAudit }]),
          { label: words.recoverFailed, icon: 'retry', onSelect: recoverAll },
          {
            label: words.delete,
            icon: 'trash',
            danger: true,
            onSelect: () => deleting.ask(webhook),
          },
        ]}
      />
      <Question of={deleting} title={() => words.deleteTitle} action={words.deleteWebhook}>
        {() => words.deleteConsequence(target)}
      </Question>
    </div>
  )
}
