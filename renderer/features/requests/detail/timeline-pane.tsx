import type { ReactNode } from 'react'
import type { RequestDetail, RequestItem } from '../../../../server/contract/control-requests.ts'
import { useRead } from '../../../api/query.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { RequestLine } from '../list/request-line.tsx'
import { formatInstant, formatTook } from '../../../lib/format.ts'
import { words } from '../words.ts'

/** Course of a request, and its place in the sign-in that it belongs to. */
export function TimelinePane({ request }: { request: RequestDetail }) {
  return (
    <div className="flex flex-col gap-5 p-4">
      <ol className="flex flex-col gap-2 border-l-2 border-line pl-3 text-sm">
        <Moment time={request.at}>{words.received}</Moment>
        {request.faultId !== undefined && (
          <Moment>
            <span className="text-warn">
              {request.faultChanges === undefined
                ? words.unchangedBy(request.faultId)
                : words.changedBy(request.faultId, request.faultChanges.join('; '))}
            </span>
          </Moment>
        )}
        <Moment time={request.endedAt}>
          {request.status === 0
            ? `Connection cut after ${formatTook(request.durationMs)}`
            : `Responded with ${request.status} after ${formatTook(request.durationMs)}`}
        </Moment>
      </ol>
      {request.flowId !== undefined && <InFlow request={request} flowId={request.flowId} />}
    </div>
  )
}

function Moment({ time, children }: { time?: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="min-w-0">{children}</span>
      {time !== undefined && <span className="text-xs text-muted">{formatInstant(time)}</span>}
    </li>
  )
}

function InFlow({ request, flowId }: { request: RequestItem; flowId: string }) {
  const list = useRead('GET requests', { query: { flowId, limit: 200 } })
  return (
    <QueryView query={list} what="the requests of the sign-in">
      {({ items }) => {
        const oldestFirst = items.toReversed()
        const start = Date.parse(oldestFirst[0]?.at ?? request.at)
        return (
          <section className="flex flex-col gap-1">
            <h3 className="eyebrow">{words.inItsSignIn}</h3>
            <ol aria-label={words.inItsSignIn} className="flex flex-col">
              {oldestFirst.map((item) => (
                <li key={item.id}>
                  <RequestLine
                    request={item}
                    isOpen={item.id === request.id}
                    note={`+${formatTook(Date.parse(item.at) - start)}`}
                  />
                </li>
              ))}
            </ol>
          </section>
        )
      }}
    </QueryView>
  )
}
