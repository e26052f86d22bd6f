import type { RequestItem, RequestList } from '../../../../server/contract/control-requests.ts'
import { ApiError } from '../../../api/client.ts'
import { useLiveHistory } from '../../../api/live-context.ts'
import { useWholeList } from '../../../api/query.ts'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Empty, MoreThanShown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/time.tsx'
import { formatCount } from '../../../lib/format.ts'
import { FilterLine } from './filter-line.tsx'
import { RequestRows } from './request-rows.tsx'

interface RequestsProps {
  filter: string
  onFilter: (filter: string) => void
  onOpen: (request: RequestItem) => void
}

export function Requests({ filter, onFilter, onOpen }: RequestsProps) {
  const requests = useWholeList('GET requests', { filter: filter.trim() || undefined })
  const problems = filterProblems(requests.error)
  return (
    <>
      <FilterLine
        filter={filter}
        onFilter={onFilter}
        problems={problems}
        count={requests.data === undefined ? '' : formatCount(requests.data.items.length)}
      />
      {problems.length === 0 && (
        <QueryView query={requests} what="requests">
          {({ items, cut, kept }) => (
            <Panel flush>
              {items.length > 0 ? (
                <RequestRows requests={items} onOpen={onOpen} />
              ) : (
                <NoRequests filtered={filter.trim() !== ''} />
              )}
              {cut && <MoreThanShown shown={items.length} />}
              <KeptRequests {...kept} />
            </Panel>
          )}
        </QueryView>
      )}
    </>
  )
}

/** Extent of the log, once it has dropped older requests. */
function KeptRequests({ requests, received, since }: RequestList['kept']) {
  if (requests >= received) return null
  return (
    <p className="px-3 py-2 text-xs text-muted">
      {formatCount(requests)} of {formatCount(received)} requests kept
      {since && (
        <>
          , the oldest from <Ago time={since} />
        </>
      )}
      . Older ones were dropped.
    </p>
  )
}

/** What the sandbox has against the words of the filter. */
function filterProblems(error: Error | null): readonly string[] {
  if (!(error instanceof ApiError) || error.status !== 400) return []
  return error.issues.map(({ message }) => message)
}

function NoRequests({ filtered }: { filtered: boolean }) {
  const reset = useLiveHistory().find((entry) => entry.type === 'sandbox.reset')
  return (
    <Empty icon="request" title={filtered ? 'No request matches' : 'No requests yet'}>
      {reset && (
        <p>
          {reset.data.snapshot === undefined
            ? 'The log was erased by the reset'
            : `The log was erased when ${reset.data.snapshot} was restored`}{' '}
          <Ago time={reset.time} />.
        </p>
      )}
      Point a client at the sandbox: the overview has the environment for it.
    </Empty>
  )
}
