import { Link } from 'wouter'
import { useNewestDeliveries } from '../../../api/deliveries.ts'
import { useWebhookName } from '../../../api/webhooks.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Moment } from '../../../ui/time.tsx'
import { toneText } from '../../../ui/badge.tsx'
import { lookOf, outcomeWord } from '../model/state-look.ts'

/** The newest deliveries, as they happen. */
export function NewestDeliveries() {
  const rows = useNewestDeliveries().data ?? []
  const webhookName = useWebhookName()
  if (rows.length === 0) return null
  return (
    <Panel title="Newest deliveries" flush>
      <ul aria-label="Newest deliveries" className="flex flex-col pb-2">
        {rows.map((row) => {
          const look = lookOf(row)
          return (
            <li key={row.id}>
              <Link
                href={`/deliveries/${row.id}`}
                className="flex h-7 items-center gap-2 px-4 text-sm hover:bg-hover focus-visible:-outline-offset-2"
              >
                <Icon name={look.icon} className={`size-4 shrink-0 ${toneText[look.tone]}`} />
                <span className="sr-only">{look.word}</span>
                <span className="min-w-10 shrink-0 font-mono text-xs">{outcomeWord(row)}</span>
                <span className="min-w-0 flex-1 truncate" title={webhookName(row.webhookId)}>
                  {row.scope} <span className="text-muted">→ {webhookName(row.webhookId)}</span>
                </span>
                <span className="shrink-0 text-xs text-faint">
                  <Moment time={row.createdAt} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
