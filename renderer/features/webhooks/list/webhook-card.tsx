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
            suspended
          </Badge>
        )}
        {!isSuspended(webhook) && webhook.health.state === 'failing' && (
          <Badge tone="warn" icon="warning">
            failing
          </Badge>
        )}
        <FindingMark of={{ webhookId: webhook.id }} />
        {webhook.status === 'disabled' && <Badge icon="minus">disabled</Badge>}
        {webhook.awaitedSince !== undefined && <Badge icon="clock">waiting for receiver</Badge>}
        {webhook.held && (
          <Badge tone="warn" icon="hold">
            paused
          </Badge>
        )}
      </div>
      <p className="truncate text-xs text-faint" title={webhook.owner.username}>
        owner {webhook.owner.username}
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
      <span className="sr-only">{name ?? target} enabled</span>
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
          Suspended after{' '}
          {plural(webhook.consecutiveFailures, 'failed delivery', 'failed deliveries')} in a row
          {webhook.suspendedAt && (
            <>
              , since <Moment time={webhook.suspendedAt} />
            </>
          )}
          {webhook.suspendedBecause && `: ${webhook.suspendedBecause}`}. Enable it to resume.
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
      {webhook.secret !== undefined && <Badge icon="lock">secret</Badge>}
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
            last delivery <Moment time={lastTriggerAt} />
          </>
        ) : (
          'no deliveries yet'
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
    return [
      {
        label: 'Stop waiting for the receiver',
        icon: 'cross' as const,
        onSelect: () => change(false),
      },
    ]
  }
  if (url === undefined || failing + failed === 0) return []
  return [{ label: 'Replay when back', icon: 'clock' as const, onSelect: () => change(true) }]
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
              ? 'Nothing to recover'
              : `${plural(deliveries, 'delivery', 'deliveries')} queued again`,
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
        {held ? 'Resume' : 'Pause'}
      </Button>
      <Link href={`/webhooks/${id}/activity`} className={buttonClass('plain', 'small')}>
        <Icon name="delivery" className="size-3.5" /> Activity
      </Link>
      <Menu
        trigger={
          <IconButton icon="more" size="small" look="plain" label={`More for ${name ?? target}`} />
        }
        items={[
          { label: 'Edit…', icon: 'edit', onSelect: onEdit },
          ...waitItems(webhook, (replayWhenBack) =>
            update.mutate({ id, change: { replayWhenBack } }),
          ),
          ...(url === undefined
            ? []
            : [{ label: words.auditReceiver, icon: 'check' as const, onSelect: onAudit }]),
          { label: 'Recover failed deliveries', icon: 'retry', onSelect: recoverAll },
          {
            label: 'Delete…',
            icon: 'trash',
            danger: true,
            onSelect: () => deleting.ask(webhook),
          },
        ]}
      />
      <Question of={deleting} title={() => 'Delete this webhook?'} action="Delete webhook">
        {() => `${target} receives no further deliveries, and pending retries are cancelled.`}
      </Question>
    </div>
  )
}
