import { Link } from 'wouter'
import type { Overview } from '../../../../server/contract/control-health.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { plural } from '../../../lib/format.ts'
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

function Head({ data: { counts, deliveries, failingWebhooks, issues } }: { data: Overview }) {
  if (counts.webhooks === 0) {
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
  if (failingWebhooks > 0) {
    const title = `${plural(failingWebhooks, 'webhook')} failing`
    return <StatusHead icon="warning" tone="bad" title={title} />
  }
  if (issues.total > 0) {
    return (
      <StatusHead icon="check" tone="warn" title="Works again">
        <p>These deliveries failed before and are still undelivered.</p>
      </StatusHead>
    )
  }
  if (deliveries.succeeded === 0) {
    return (
      <StatusHead icon="minus" tone="neutral" title="Nothing delivered yet">
        <p>Press t to trigger an event.</p>
      </StatusHead>
    )
  }
  return (
    <StatusHead icon="check" tone="ok" title="All delivered">
      <p>
        {`${plural(deliveries.succeeded, 'delivery', 'deliveries')} succeeded to ${plural(counts.webhooks, 'webhook')}.`}
      </p>
    </StatusHead>
  )
}
