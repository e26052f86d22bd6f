import type {
  FaultMatch,
  FaultPreview as Preview,
} from '../../../../server/contract/control-faults.ts'
import { Moment } from '../../../ui/time.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { useFaultPreview } from '../model/requests.ts'

const shown = 5

/** Recent requests or deliveries that the rule would match. */
export function FaultPreview({ match }: { match: FaultMatch }) {
  const { data } = useFaultPreview(match)
  if (data === undefined) return null
  const what = match.webhookId === undefined ? 'request' : 'delivery'
  const many = match.webhookId === undefined ? 'requests' : 'deliveries'
  return (
    <section
      aria-label="Preview"
      className="flex flex-col gap-1.5 rounded-lg border border-line bg-sunken p-3 text-xs"
    >
      <p className="text-sm">
        {data.considered === 0
          ? `No ${many} yet to preview the match.`
          : `Would match ${formatCount(data.matched)} of the last ${plural(data.considered, what, many)}.`}
      </p>
      <Concerned preview={data} />
      {data.hints?.map((hint) => (
        <p key={hint} className="text-warn">
          {hint}
        </p>
      ))}
    </section>
  )
}

function Concerned({ preview: { requests, deliveries, matched } }: { preview: Preview }) {
  const lines = [
    ...requests.map(({ id, at, method, path, status }) => ({
      id,
      at,
      text: `${method} ${path.split('?', 1)[0]} ${status}`,
    })),
    ...deliveries.map(({ id, createdAt, scope, action, repo, state }) => ({
      id,
      at: createdAt,
      text: `${scope} · ${action} in ${repo}: ${state}`,
    })),
  ].slice(0, shown)
  if (lines.length === 0) return null
  return (
    <ul className="flex flex-col gap-0.5">
      {lines.map(({ id, at, text }) => (
        <li key={id} className="flex gap-3">
          <span className="min-w-0 flex-1 truncate font-mono">{text}</span>
          <span className="text-faint">
            <Moment time={at} />
          </span>
        </li>
      ))}
      {matched > lines.length && (
        <li className="text-faint">{`and ${formatCount(matched - lines.length)} earlier`}</li>
      )}
    </ul>
  )
}
