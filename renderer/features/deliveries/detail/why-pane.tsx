import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { Link } from 'wouter'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FailingNow } from '../../../shared/webhook-health.tsx'
import { formatDateTime, plural } from '../../../lib/format.ts'
import { lookOf } from '../model/state-look.ts'

export function WhyPane({
  delivery,
  webhook,
}: {
  delivery: DeliveryItem
  webhook: WebhookItem | undefined
}) {
  const look = lookOf({ ...delivery, status: delivery.attempts.at(-1)?.status })
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex items-start gap-2">
        <Badge tone={look.tone} icon={look.icon}>
          {look.word}
        </Badge>
        <p className="min-w-0 flex-1 text-sm">
          {delivery.explanation ?? delivery.attempts.at(-1)?.explanation}
        </p>
      </div>
      <Facts
        items={[
          ['Event', <CopyableId key="e" text={delivery.eventId} what="Event id" head={14} />],
          ['Delivery', <CopyableId key="d" text={delivery.id} what="Delivery id" head={14} />],
          [
            'Caused by',
            delivery.synthetic ? 'a payload sent without a change of state' : 'a change of state',
          ],
          ['Skipped', delivery.reason && <Chip key="r">{delivery.reason}</Chip>],
          ['Matched by', delivery.matchedBy && <Chip key="m">{delivery.matchedBy}</Chip>],
          [
            'Webhook',
            webhook ? (
              <Link
                key="w"
                href={`/webhooks/${webhook.id}/activity`}
                className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
              >
                {webhook.name ?? webhook.target}
              </Link>
            ) : (
              <CopyableId key="w" text={delivery.webhookId} what="Webhook id" />
            ),
          ],
          ['Failures', webhook && <Failures key="f" webhook={webhook} />],
          ['Cancelled', delivery.cancelledBecause],
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
          ['Made', formatDateTime(delivery.createdAt)],
          ['Finished', delivery.finishedAt && formatDateTime(delivery.finishedAt)],
        ]}
      />
      <section className="flex flex-col gap-2 rounded-lg bg-sunken p-3 text-xs text-muted">
        <h3 className="eyebrow">Rules, and where they come from</h3>
        <Rule badge="documented">
          Only 2xx is a success; anything else is tried again and counts toward suspension.
        </Rule>
        <Rule badge="documented">
          A replay goes to the present address with the present secret, and needs no budget.
        </Rule>
        <Rule badge="from its code">An attempt ends after 30 seconds.</Rule>
        <Rule badge="our choice">
          The waits between attempts, and after how many failed deliveries a webhook is suspended.
        </Rule>
      </section>
    </div>
  )
}

/** Deliveries that were given up count toward suspension; those in progress fail, too. */
function Failures({ webhook }: { webhook: WebhookItem }) {
  return (
    <>
      {plural(webhook.consecutiveFailures, 'delivery', 'deliveries')} of it given up in a row
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
      <Badge tone={badge === 'our choice' ? 'warn' : 'accent'}>{badge}</Badge>
      <span className="min-w-0 flex-1">{children}</span>
    </p>
  )
}
