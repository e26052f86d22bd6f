import { Link } from 'wouter'
import type { RequestItem } from '../../../../server/contract/control-requests.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Moment } from '../../../ui/time.tsx'
import { callsQuery, useCalls } from '../model/requests.ts'
import { words } from '../words.ts'

/** The last requests of MCP clients, with the reason where one was refused. */
export function CallsPanel() {
  const calls = useCalls()
  return (
    <Panel
      title={words.calls}
      lead="Requests to the MCP server and the metadata that clients read first."
      actions={
        <Link
          href={`/requests?q=${encodeURIComponent(callsQuery)}`}
          className={buttonClass('plain', 'small')}
        >
          View all
        </Link>
      }
    >
      <QueryView query={calls} what="calls">
        {({ items }) =>
          items.length > 0 ? (
            <ul aria-label={words.calls} className="flex flex-col divide-y divide-line">
              {items.map((call) => (
                <Call key={call.id} call={call} />
              ))}
            </ul>
          ) : (
            <Empty icon="request" title="No calls yet">
              Connect a client, or run the command above.
            </Empty>
          )
        }
      </QueryView>
    </Panel>
  )
}

function Call({
  call: { id, at, method, path, status, app, user, error, detail },
}: {
  call: RequestItem
}) {
  const isRefused = error !== undefined || status === 0 || status >= 400
  const caller = [app?.name, user?.username].filter((name) => name !== undefined).join(', ')
  return (
    <li className="flex flex-col gap-0.5 py-2">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={isRefused ? 'warn' : 'ok'}>{status === 0 ? 'cut' : status}</Badge>
        <Link
          href={`/requests/${encodeURIComponent(id)}`}
          className="min-w-0 flex-1 truncate font-mono text-xs hover:underline"
          title={path}
        >
          {method} {path}
        </Link>
        <span className="text-xs text-muted">{caller || 'anonymous'}</span>
        <Moment time={at} />
      </span>
      {isRefused && <span className="text-xs text-muted">{detail ?? error}</span>}
    </li>
  )
}
