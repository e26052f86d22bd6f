import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { nameOfWebhook } from '../../../../server/contract/webhook-name.ts'
import { Link } from 'wouter'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FailingNow } from '../../../shared/webhook-health.tsx'
import { formatDateTime, plural } from '../../../lib/format.ts'
import { words } from '../words.ts'

/** Reason for the state of a delivery, which the heading shows, and what is known about it. */
export function SummaryPane({
  delivery,
  webhook,
}: {
  delivery: DeliveryItem
  webhook: WebhookItem | undefined
}) {
  const explanation = delivery.explanation ?? delivery.attempts.at(-1)?.explanation
  return (
    <div className="flex flex-col gap-4 p-4">
      {explanation && <p className="text-sm">{explanation}</p>}
      <Facts
        items={[
          [
            'Audit',
            delivery.audit && (
              <Link
                key="a"
                href={`/findings/modules/${delivery.audit.module}`}
                className="font-mono text-xs underline underline-offset-2"
              >
                {delivery.audit.module}
              </Link>
            ),
          ],
          [
            words.event,
            !delivery.audit && (
              <CopyableId key="e" text={delivery.eventId} what="Event id" head={14} />
            ),
          ],
          [words.delivery, <CopyableId key="d" text={delivery.id} what="Delivery id" head={14} />],
          ['Cause', causeOf(delivery)],
          [words.skipped, delivery.reason && <Chip key="r">{delivery.reason}</Chip>],
          ['Matched by', delivery.matchedBy && <Chip key="m">{delivery.matchedBy}</Chip>],
          [
            words.webhook,
            webhook ? (
              <Link
                key="w"
                href={`/webhooks/${webhook.id}/activity`}
                title={webhook.target}
                className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
              >
                {nameOfWebhook(webhook)}
              </Link>
            ) : (
              !delivery.audit && <CopyableId key="w" text={delivery.webhookId} what="Webhook id" />
            ),
          ],
          ['Failures', webhook && <Failures key="f" webhook={webhook} />],
          [words.cancelled, delivery.cancelledBecause],
          [
            delivery.duplicate ? 'Duplicate of' : 'Edited from',
            delivery.derivedFrom && (
              <Link
                key="d"
                href={`/deliveries/${delivery.derivedFrom}`}
                className="font-mono text-xs underline underline-offset-2"
              >
                {delivery.derivedFrom}
              </Link>
            ),
          ],
          ['Created', formatDateTime(delivery.createdAt)],
          ['Completed', delivery.finishedAt && formatDateTime(delivery.finishedAt)],
        ]}
      />
      <section className="flex flex-col gap-2 rounded-lg bg-sunken p-3 text-xs text-muted">
        <h3 className="eyebrow">Delivery rules and sources</h3>
        <Rule badge={words.documented}>{words.ruleSuccess}</Rule>
        <Rule badge={words.documented}>{words.ruleReplay}</Rule>
        <Rule badge="from Hub code">An attempt times out after 30 seconds.</Rule>
        <Rule badge={words.sandboxChoice}>{words.ruleWaits}</Rule>
      </section>
    </div>
  )
}

function causeOf({ audit, synthetic }: DeliveryItem): string {
  if (audit) return words.auditCountsNowhere
  return synthetic ? 'payload only, without a change' : 'a real change'
}

/** Failed deliveries count towards suspension; pending ones may be failing too. */
function Failures({ webhook }: { webhook: WebhookItem }) {
  return (
    <>
      {plural(
        webhook.consecutiveFailures,
        'consecutive failed delivery',
        'consecutive failed deliveries',
      )}
      {webhook.health.state === 'failing' && (
        <span className="block text-warn">
          <FailingNow health={webhook.health} webhookId={webhook.id} />
        </span>
      )}
    </>
  )
}

function Rule({ badge, children }: { badge: string; children: string }) {
  return (
    <p className="flex items-start gap-2">
      <Badge tone={badge === words.sandboxChoice ? 'warn' : 'accent'}>{badge}</Badge>
      <span className="min-w-0 flex-1">{children}</span>
    </p>
  )
}
