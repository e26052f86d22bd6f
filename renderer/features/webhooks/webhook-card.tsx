import { useState } from 'react'
import { Link } from 'wouter'
import type { WebhookItem } from '../../../server/contract/control-webhooks.ts'
import { useUpdateWebhook } from '../../api/webhooks.ts'
import { Badge, Chip } from '../../components/badge.tsx'
import { Button, IconButton, buttonClass } from '../../components/button.tsx'
import { CopyableId } from '../../components/copy.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Gauge } from '../../components/gauge.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { Switch } from '../../components/switch.tsx'
import { Ago } from '../../components/time.tsx'
import { notify } from '../../components/toast.tsx'
import { FailingNow } from '../../components/webhook-health.tsx'
import { plural } from '../../lib/format.ts'
import { useDeleteWebhook, useRecover } from './webhook-requests.ts'

export function WebhookCard({ webhook, onEdit }: { webhook: WebhookItem; onEdit: () => void }) {
  const [deleting, setDeleting] = useState(false)
  const update = useUpdateWebhook()
  const remove = useDeleteWebhook()
  const recover = useRecover()
  const enabled = webhook.status === 'enabled'
  const suspended = webhook.status === 'suspended-after-failure'
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2
              title={webhook.name ?? webhook.target}
              className="max-w-full truncate text-base font-semibold"
            >
              {webhook.name ?? webhook.target}
            </h2>
            <span className="max-w-60 truncate text-xs text-faint" title={webhook.owner.username}>
              of {webhook.owner.username}
            </span>
            {suspended && (
              <Badge tone="bad" icon="warning">
                suspended
              </Badge>
            )}
            {!suspended && webhook.health.state === 'failing' && (
              <Badge tone="warn" icon="warning">
                failing
              </Badge>
            )}
            {webhook.status === 'disabled' && <Badge icon="minus">disabled</Badge>}
            {webhook.held && (
              <Badge tone="warn" icon="hold">
                held
              </Badge>
            )}
          </div>
          <p className="mt-0.5 flex items-center gap-1.5 font-mono text-xs break-all text-muted">
            <Icon name={webhook.url ? 'webhook' : 'job'} className="size-3.5 text-faint" />
            <span className="line-clamp-2" title={webhook.target}>
              {webhook.target}
            </span>
          </p>
        </div>
        <Switch
          checked={enabled}
          disabled={update.isPending}
          onChange={(checked) =>
            update.mutate({
              id: webhook.id,
              change: { status: checked ? 'enabled' : 'disabled' },
            })
          }
        >
          <span className="sr-only">{webhook.name ?? webhook.target} enabled</span>
        </Switch>
      </div>

      {webhook.problem && (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">{webhook.problem}</p>
      )}

      {suspended && (
        <p className="rounded-lg bg-bad-soft px-3 py-2 text-xs text-bad">
          Suspended after{' '}
          {plural(webhook.consecutiveFailures, 'failed delivery', 'failed deliveries')} in a row
          {webhook.suspendedAt && (
            <>
              {' '}
              <Ago time={webhook.suspendedAt} />
            </>
          )}
          {webhook.suspendedBecause && `: ${webhook.suspendedBecause}`}. Enable it to clear that.
        </p>
      )}

      {!suspended && webhook.health.state === 'failing' && (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">
          <FailingNow health={webhook.health} webhookId={webhook.id} />
        </p>
      )}

      <div className="flex flex-wrap items-center gap-1">
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

      <div className="mt-auto flex flex-wrap items-end justify-between gap-3 border-t border-line pt-3">
        <div className="flex flex-wrap items-end gap-5 text-xs text-muted">
          {webhook.usage.limit !== null && (
            <Gauge
              label="Deliveries of the last 24 hours"
              used={webhook.usage.used}
              limit={webhook.usage.limit}
            />
          )}
          <span>
            {webhook.lastTriggerAt ? (
              <>
                called <Ago time={webhook.lastTriggerAt} />
              </>
            ) : (
              'never called'
            )}
          </span>
          <CopyableId text={webhook.id} what="Webhook id" />
        </div>
        <div className="flex gap-1.5">
          <Button
            size="small"
            icon={webhook.held ? 'play' : 'hold'}
            disabled={update.isPending}
            onClick={() => update.mutate({ id: webhook.id, change: { held: !webhook.held } })}
          >
            {webhook.held ? 'Release' : 'Hold'}
          </Button>
          <Link href={`/webhooks/${webhook.id}/activity`} className={buttonClass('plain', 'small')}>
            <Icon name="delivery" className="size-3.5" /> Activity
          </Link>
          <Menu
            trigger={
              <IconButton
                icon="more"
                size="small"
                look="plain"
                label={`More for ${webhook.name ?? webhook.target}`}
              />
            }
            items={[
              { label: 'Edit…', icon: 'edit', onSelect: onEdit },
              {
                label: 'Recover what failed',
                icon: 'retry',
                onSelect: () =>
                  recover.mutate(
                    { id: webhook.id, since: webhook.createdAt },
                    {
                      onSuccess: ({ deliveries }) =>
                        notify(
                          deliveries === 0
                            ? 'Nothing to recover'
                            : `${plural(deliveries, 'delivery', 'deliveries')} queued again`,
                        ),
                    },
                  ),
              },
              { label: 'Delete…', icon: 'trash', danger: true, onSelect: () => setDeleting(true) },
            ]}
          />
        </div>
      </div>
      <Confirm
        open={deleting}
        onOpenChange={setDeleting}
        title="Delete this webhook?"
        action="Delete it"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(webhook, { onSuccess: () => setDeleting(false) })}
      >
        {webhook.target} is no longer told of anything, and its waiting retries are cancelled.
      </Confirm>
    </article>
  )
}
