import { Link } from 'wouter'
import type { FlowStep } from '../../../../server/contract/control-flows.ts'
import { TableHead } from '../../../ui/table-head.tsx'
import { plural } from '../../../lib/format.ts'
import { formatSince } from '../model/flow-time.ts'
import { words } from '../words.ts'

/** Polls of a device: time, interval and response. */
export function PollTable({ polls }: { polls: NonNullable<FlowStep['polls']> }) {
  const left = polls.count - polls.list.length
  return (
    <>
      <table className="w-full border-collapse text-xs">
        <TableHead
          columns={[{ title: 'When' }, { title: 'After previous' }, { title: words.response }]}
        />
        <tbody>
          {polls.list.map(({ requestId, sinceMs, answer }, index) => {
            const before = polls.list[index - 1]
            return (
              <tr key={requestId} className="border-t border-line/60">
                <td className="py-1 font-mono">{formatSince(sinceMs)}</td>
                <td className="py-1 font-mono">
                  {before && formatSince(sinceMs - before.sinceMs).slice(1)}
                </td>
                <td className="py-1">
                  <Link
                    href={`/requests/${requestId}`}
                    className="font-mono text-accent hover:underline"
                  >
                    {answer}
                  </Link>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {left > 0 && (
        <p className="text-xs text-muted">{`Shows the first and the latest; ${plural(left, 'poll')} in between not shown.`}</p>
      )}
    </>
  )
}
