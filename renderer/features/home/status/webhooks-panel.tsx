import { Link } from 'wouter'
import type { Overview } from '../../../../server/contract/control-health.ts'
import { plainWord } from '../../../../server/contract/words/webhook-words.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { standingOf } from '../model/standing.ts'
import { IssueCard } from './issue-card.tsx'
import { StatusHead } from './status-head.tsx'
import { words } from '../words.ts'

const shownIssues = 3

/** Webhooks that fail, or that all is delivered. */
export function WebhooksPanel({ data }: { data: Overview }) {
  const { items, total } = data.issues
  const shown = items.slice(0, shownIssues)
  return (
    <Panel title="Webhooks">
      <div className="flex flex-col gap-3">
        <Head data={data} />
        {shown.length > 0 && (
          <ul aria-label={words.issues} className="flex flex-col gap-2">
            {shown.map((issue) => (
              <li key={issue.id}>
                <IssueCard issue={issue} />
              </li>
            ))}
          </ul>
        )}
        {total > shown.length && (
          <p className="text-sm">
            <Link href="/issues" className="text-accent underline underline-offset-2">
              {`Show all ${plural(total, 'issue')}`}
            </Link>
          </p>
        )}
      </div>
    </Panel>
  )
}

function Head({ data }: { data: Overview }) {
  const { counts, deliveries, failingWebhooks, suspendedWebhooks } = data
  if (counts.webhooks === 0 && deliveries.total === 0) {
    return (
      <StatusHead icon="minus" tone="neutral" title="No webhooks yet">
        <p>A webhook sends each change to your receiver.</p>
        <p className="pt-2">
          <Link href="/webhooks?new" className={buttonClass('plain', 'small')}>
            {words.createWebhook}
          </Link>
        </p>
      </StatusHead>
    )
  }
  const { title, icon, tone } = standingOf(data)
  const webhooks = (
    [
      ['suspended', suspendedWebhooks],
      ['failing', failingWebhooks],
    ] as const
  ).filter(([, count]) => count > 0)
  return (
    <StatusHead icon={icon} tone={tone} title={title}>
      {deliveries.total === 0 && <p>Press t to trigger an event.</p>}
      {webhooks.map(([word, count]) => (
        <p key={word}>
          <Link href={`/webhooks?state=${word}`} className="rounded hover:text-ink hover:underline">
            {`${plural(count, 'webhook')} ${word}`}
          </Link>
        </p>
      ))}
      <DeliveryCounts counts={deliveries} />
    </StatusHead>
  )
}

/** Numbers of deliveries by result, each with a link to exactly those; they add up to all. */
function DeliveryCounts({ counts }: { counts: Overview['deliveries'] }) {
  const parts = (
    [
      ['succeeded', counts.succeeded],
      ['failing', counts.failing],
      ['failed', counts.failed],
      ['pending', counts.pending],
      ['cancelled', counts.cancelled],
      ['not-run', counts.notRun],
    ] as const
  ).filter(([, count]) => count > 0)
  if (parts.length === 0) return null
  return (
    <ul aria-label={words.deliveriesByResult} className="flex flex-wrap gap-x-1">
      {parts.map(([result, count]) => (
        <li key={result} className="flex gap-x-1 not-last:after:content-['·']">
          <Link
            href={`/deliveries?q=${encodeURIComponent(`status:${result}`)}`}
            className="rounded hover:text-ink hover:underline"
          >
            {`${formatCount(count)} ${plainWord(result)}`}
          </Link>
        </li>
      ))}
    </ul>
  )
}
