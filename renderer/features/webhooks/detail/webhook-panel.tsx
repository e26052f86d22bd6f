import { Link } from 'wouter'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useWebhookName } from '../../../api/webhooks.ts'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Gauge } from '../../../ui/gauge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Moment } from '../../../ui/time.tsx'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import { FailingNow } from '../../../shared/webhook-health.tsx'
import { plural } from '../../../lib/format.ts'
import { SendTestButton, WebhookMenu } from '../list/webhook-controls.tsx'
import type { WebhookActions } from '../model/webhook-actions.ts'
import { isSuspended, looksOf } from '../model/webhook-state.ts'
import { WebhookSparkline } from './webhook-sparkline.tsx'
import { words } from '../words.ts'

interface WebhookPanelProps {
  webhook: WebhookItem
  actions: WebhookActions
  /** Absent in a dialog, which has its own button. */
  onClose: (() => void) | undefined
}

/** Everything about an open webhook that its row has no room for. */
export function WebhookPanel({ webhook, actions, onClose }: WebhookPanelProps) {
  const name = useWebhookName()(webhook.id)
  return (
    <div data-scroller className="scroll-quiet flex min-h-0 flex-col gap-3 overflow-y-auto p-4">
      <div className="flex items-start gap-2">
        <Heading webhook={webhook} name={name} />
        {onClose && <IconButton icon="cross" size="small" label="Close (Esc)" onClick={onClose} />}
      </div>
      <div className="flex flex-wrap gap-1.5">
        <SendTestButton webhook={webhook} actions={actions} />
        <Button
          size="small"
          icon={webhook.held ? 'play' : 'hold'}
          onClick={() => actions.hold(webhook, !webhook.held)}
        >
          {webhook.held ? 'Resume' : 'Pause'}
        </Button>
        <Link href={`/webhooks/${webhook.id}/activity`} className={buttonClass('plain', 'small')}>
          <Icon name="delivery" className="size-3.5" /> Activity
        </Link>
        <WebhookMenu webhook={webhook} name={`open ${name}`} actions={actions} />
      </div>
      <Trouble webhook={webhook} />
      <WebhookSparkline id={webhook.id} />
      <About webhook={webhook} />
    </div>
  )
}

interface PartProps {
  webhook: WebhookItem
}

function Heading({ webhook, name }: PartProps & { name: string }) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="min-w-0 text-base font-semibold break-words">{name}</h2>
        {looksOf(webhook).map(({ word, tone, icon }) => (
          <Badge key={word} tone={tone} icon={icon}>
            {word}
          </Badge>
        ))}
        <FindingMark of={{ webhookId: webhook.id }} />
      </div>
      <p className="mt-0.5 flex items-start gap-1.5 font-mono text-xs break-all text-muted">
        <Icon name={webhook.url ? 'webhook' : 'job'} className="mt-0.5 size-3.5 text-faint" />
        {webhook.target}
      </p>
    </div>
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

function About({ webhook }: PartProps) {
  const { id, owner, watched, domains, order, secret, usage, lastTriggerAt } = webhook
  return (
    <Facts
      items={[
        ['Owner', owner.username],
        [
          'Watches',
          <span key="w" className="flex min-w-0 flex-wrap gap-1">
            {watched.map(({ type, name }) => (
              <Chip key={`${type} ${name}`}>
                {type}:{name}
              </Chip>
            ))}
          </span>,
        ],
        [
          'Events',
          <span key="e" className="flex flex-wrap gap-1">
            {domains.map((domain) => (
              <Badge key={domain}>{domain}</Badge>
            ))}
          </span>,
        ],
        ['Order', order !== 'parallel' && order],
        ['Secret', secret === undefined ? 'none' : 'sent with each delivery'],
        ['Last delivery', lastTriggerAt ? <Moment key="l" time={lastTriggerAt} /> : 'none yet'],
        [
          'Quota',
          usage.limit !== null && (
            <Gauge key="q" label={words.last24Hours} used={usage.used} limit={usage.limit} />
          ),
        ],
        ['Id', <CopyableId key="i" text={id} what="Webhook id" head={14} />],
      ]}
    />
  )
}
