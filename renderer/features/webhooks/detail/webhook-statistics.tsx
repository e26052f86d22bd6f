import { Link } from 'wouter'
import type { WebhookStatistics as Statistics } from '../../../../server/contract/control-webhooks.ts'
import { useWebhookStatistics } from '../../../api/webhooks.ts'
import { BarChart } from '../../../ui/charts/bar-chart.tsx'
import { Gauge } from '../../../ui/gauge.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Empty } from '../../../ui/states.tsx'
import { formatCount, formatSpan, formatTook, plural } from '../../../lib/format.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { percent } from '../../../lib/percent.ts'
import { ErrorTable } from './error-table.tsx'
import { latencyBars, latencyMarks, timeBars } from '../model/statistics-bars.ts'
import { words } from '../words.ts'

const spans = { all: undefined, '24h': 86_400_000, '1h': 3_600_000, '5m': 300_000 } as const
const spanNames = ['all', '24h', '1h', '5m'] as const
type Span = (typeof spanNames)[number]

/** Statistics of a webhook: outcomes, response times and errors. */
export function WebhookStatistics({ id }: { id: string }) {
  const [span, setSpan] = useParameter('span', spanNames)
  const statistics = useWebhookStatistics(id, spans[span])
  return (
    <div className="flex flex-col gap-4">
      <Segments
        label={words.time}
        value={span}
        onChange={setSpan}
        options={[
          { value: 'all', label: 'All' },
          { value: '24h', label: 'Last 24 h' },
          { value: '1h', label: 'Last hour' },
          { value: '5m', label: 'Last 5 min' },
        ]}
      />
      <QueryView query={statistics} what="the statistics of this webhook">
        {(data) => <Content id={id} span={span} data={data} />}
      </QueryView>
    </div>
  )
}

interface ContentProps {
  id: string
  span: Span
  data: Statistics
}

function Content({ id, span, data }: ContentProps) {
  const { overTime, latency, usage } = data
  if (overTime.spans.length === 0) {
    return (
      <Empty icon="webhook" title="No deliveries in this period">
        Trigger an event that this webhook watches, or choose a longer period.
      </Empty>
    )
  }
  return (
    <>
      <Figures id={id} span={span} data={data} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="Over time" lead={`Created per ${formatSpan(overTime.spanMs)}`}>
          <BarChart label="Deliveries over time" unit={words.time} bars={timeBars(overTime)} />
        </Panel>
        <Panel title="Response time" lead={latencyLead(latency)}>
          {latency.measured > 0 ? (
            <BarChart
              label="Attempts by response time"
              unit="Response time"
              bars={latencyBars(latency)}
              marks={latencyMarks(latency)}
            />
          ) : (
            <p className="py-6 text-sm text-muted">No attempt had a response.</p>
          )}
        </Panel>
        <Panel title="Errors" lead="Failed attempts, including retries and replays.">
          <ErrorTable errors={data.errors} others={data.otherErrors} />
        </Panel>
        <Panel title="Quota" lead="Deliveries of events in the last 24 hours of the sandbox clock.">
          {usage.limit === null ? (
            <p className="text-sm text-muted">This delivery profile has no quota.</p>
          ) : (
            <Gauge label={words.last24Hours} used={usage.used} limit={usage.limit} />
          )}
        </Panel>
      </div>
    </>
  )
}

function latencyLead({ measured, notMeasured }: Statistics['latency']): string {
  const measuredAttempts = `${plural(measured, 'attempt')}, including replays; each bar covers about twice the time of the one before.`
  return notMeasured === 0
    ? measuredAttempts
    : `${measuredAttempts} ${formatCount(notMeasured)} had no response.`
}

/** Words of a query and their number. */
type Figure = readonly [name: string, value: string, query?: string]

function Figures({ id, span, data: { deliveries, latency } }: ContentProps) {
  const took = (ms: number | undefined) => (ms === undefined ? '–' : formatTook(ms))
  const figures: readonly Figure[] = [
    ['Attempted', formatCount(deliveries.attempted), 'attempt:>0 -status:pending,not-run'],
    ['Succeeded', formatCount(deliveries.succeeded), 'status:succeeded'],
    ['At first attempt', formatCount(deliveries.succeededAtFirst), 'is:first-try'],
    ['Failing', formatCount(deliveries.failing), 'status:failing'],
    ['Failed', formatCount(deliveries.failed), 'status:failed'],
    ['Cancelled', formatCount(deliveries.cancelled), 'status:cancelled'],
    ['Pending', formatCount(deliveries.pending), 'status:pending'],
    ['Not run', formatCount(deliveries.notRun), 'status:not-run'],
    ['Success rate', percent(deliveries.successRate)],
    ['p50', took(latency.p50Ms)],
    ['p90', took(latency.p90Ms)],
    ['p99', took(latency.p99Ms)],
    ['Slowest', took(latency.maxMs)],
  ]
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {figures.map(([name, value, query]) => (
        <div key={name}>
          <dt className="text-2xs text-faint">{name}</dt>
          <dd className="text-base leading-5 font-semibold">
            {query === undefined ? (
              value
            ) : (
              <Link
                href={listPath(id, span, query)}
                aria-label={`${value} ${name}: show them`}
                className="rounded hover:underline"
              >
                {value}
              </Link>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Path of the list with exactly the deliveries that a figure counts. */
function listPath(id: string, span: Span, query: string): string {
  const words = span === 'all' ? query : `${query} from:${span}`
  return `/webhooks/${id}/activity?q=${encodeURIComponent(words)}`
}
