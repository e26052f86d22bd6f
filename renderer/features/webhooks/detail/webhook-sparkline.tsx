import { useWebhookStatistics } from '../../../api/webhooks.ts'
import { Sparkline } from '../../../ui/charts/sparkline.tsx'
import { formatTook, plural } from '../../../lib/format.ts'
import { timeBars } from '../model/statistics-bars.ts'

/** Statistics of a webhook in one word's space; nothing before the first delivery. */
export function WebhookSparkline({ id }: { id: string }) {
  const { data } = useWebhookStatistics(id)
  if (!data || data.overTime.spans.length === 0) return null
  const { attempted, succeeded } = data.deliveries
  const { p50Ms, p99Ms } = data.latency
  const tried = plural(attempted, 'delivery', 'deliveries')
  return (
    <span className="flex flex-wrap items-end gap-2 text-muted">
      <Sparkline label={`${succeeded} of ${tried} succeeded`} bars={timeBars(data.overTime)} />
      {p50Ms !== undefined && p99Ms !== undefined && (
        <span className="text-2xs whitespace-nowrap">
          p50 {formatTook(p50Ms)} · p99 {formatTook(p99Ms)}
        </span>
      )}
    </span>
  )
}
