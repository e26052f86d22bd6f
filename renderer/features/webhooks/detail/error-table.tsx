import { Link } from 'wouter'
import type { WebhookStatistics } from '../../../../server/contract/control-webhooks.ts'
import { Chip } from '../../../ui/badge.tsx'
import { Moment } from '../../../ui/time.tsx'
import { formatCount } from '../../../lib/format.ts'

interface ErrorTableProps {
  errors: WebhookStatistics['errors']
  others: number
}

/** Error classes of attempts as bars, each with its newest attempt. */
export function ErrorTable({ errors, others }: ErrorTableProps) {
  if (errors.length === 0) return <p className="py-2 text-sm text-muted">No errors.</p>
  const most = Math.max(...errors.map(({ count }) => count))
  return (
    <>
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">Errors by class</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Error</th>
            <th scope="col">Attempts</th>
            <th scope="col">Latest</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ class: name, status, count, lastAt, lastDeliveryId }) => (
            <tr key={`${name} ${status}`}>
              <th scope="row" className="w-2/5 py-1 pr-2 text-left font-normal">
                <Chip>{status === undefined ? name : `${name} ${status}`}</Chip>
              </th>
              <td className="py-1">
                <span className="flex items-center gap-2">
                  <span
                    className="h-2.5 min-w-0.5 rounded-sm bg-bad forced-colors:bg-[Highlight]"
                    style={{ width: `${(count / most) * 70}%` }}
                  />
                  {formatCount(count)}
                </span>
              </td>
              <td className="w-24 py-1 text-right text-xs">
                <Link
                  href={`/deliveries/${lastDeliveryId}`}
                  className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
                >
                  <Moment time={lastAt} />
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && (
        <p className="pt-1 text-xs text-muted">{`And ${formatCount(others)} more.`}</p>
      )}
    </>
  )
}
