import { useMemo, useState } from 'react'
import { requestSubject } from '../../../../server/contract/query/subjects.ts'
import type { RequestItem, RequestList } from '../../../../server/contract/control-requests.ts'
import { useLiveHistory } from '../../../api/live-context.ts'
import { useWholeList } from '../../../api/query.ts'
import { useFiltered } from '../../../shared/query/use-filtered.ts'
import { useQueryNames } from '../../../shared/query/use-query-names.ts'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Empty, MoreThanShown, NoMatch } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/time.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { ListAndPanel } from '../../../ui/list-and-panel.tsx'
import { useDetailPane } from '../../../shared/detail-panes.ts'
import { RequestPanel } from '../detail/request-panel.tsx'
import { foldTransfers } from '../model/fold-transfers.ts'
import { modelRequests } from '../model/model-requests.ts'
import { sortOfQuery, sortRequests } from '../model/sort-requests.ts'
import { useOpenRequest } from '../model/use-open-request.ts'
import { FilterLine } from './filter-line.tsx'
import { RequestRows } from './request-rows.tsx'
import { words } from '../words.ts'

const none: readonly RequestItem[] = []

interface RequestsProps {
  filter: string
  onFilter: (filter: string) => void
  /** Open request. */
  openId: string | undefined
  /** Only requests to models, with what is known of them. */
  toModels?: boolean
}

export function Requests({ filter, onFilter, openId, toModels = false }: RequestsProps) {
  const requests = useWholeList('GET requests', toModels ? { q: modelRequests } : {})
  const known = useQueryNames()
  const shown = useFiltered('requests', filter, known, requests.data?.items ?? none, requestSubject)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [sort] = useParameter('sort')
  const defaultSort = sortOfQuery(filter)
  const sorted = useMemo(
    () => sortRequests(shown.entries, sort || defaultSort),
    [shown.entries, sort, defaultSort],
  )
  // Requests of a transfer stand together only in the order of time.
  const folded = useMemo(
    () =>
      sorted
        ? { rows: sorted, transfers: new Map<string, never>() }
        : foldTransfers(
            shown.entries,
            (id, members) => unfolded.has(id) || members.some((one) => one.id === openId),
          ),
    [sorted, shown.entries, unfolded, openId],
  )
  function toggle(id: string): void {
    setUnfolded(
      (before) => new Set(before.has(id) ? [...before].filter((it) => it !== id) : [...before, id]),
    )
  }
  const selection = useOpenRequest(
    toModels ? '/inference' : '/requests',
    sorted ?? shown.entries,
    openId,
  )
  const [pane, setPane] = useDetailPane()
  const renderList = (isBeside: boolean) => (
    <>
      <FilterLine
        filter={filter}
        onFilter={onFilter}
        known={known}
        issues={shown.issues}
        count={requests.data === undefined ? '' : formatCount(shown.entries.length)}
        toModels={toModels}
      />
      <QueryView query={requests} what="requests">
        {({ items, cut, kept }) => (
          <Panel flush>
            {shown.entries.length > 0 ? (
              <RequestRows
                requests={folded.rows}
                transfers={folded.transfers}
                openId={openId}
                onOpen={(row) =>
                  folded.transfers.has(row.id)
                    ? toggle(row.transfer?.id ?? '')
                    : selection.open(row)
                }
                onMove={selection.move}
                isNarrow={isBeside}
                toModels={toModels}
                defaultSort={defaultSort}
              />
            ) : (
              <NoRequests
                toModels={toModels}
                onClear={items.length > 0 ? () => onFilter('') : undefined}
              />
            )}
            {cut && <MoreThanShown shown={items.length} />}
            <KeptRequests {...kept} />
          </Panel>
        )}
      </QueryView>
    </>
  )
  return (
    <ListAndPanel
      renderList={renderList}
      label={words.request}
      renderPanel={
        openId === undefined
          ? undefined
          : (isBeside) => (
              <RequestPanel
                id={openId}
                pane={pane}
                onPane={setPane}
                onClose={isBeside ? selection.close : undefined}
              />
            )
      }
      onClose={selection.close}
    />
  )
}

/** Extent of the log, once it has dropped older requests. */
function KeptRequests({ requests, received, since }: RequestList['kept']) {
  if (requests >= received) return null
  return (
    <p className="px-3 py-2 text-xs text-muted">
      {`${formatCount(requests)} of ${formatCount(received)} requests kept`}
      {since && (
        <>
          , the oldest from <Ago time={since} />
        </>
      )}
      . Older ones were dropped.
    </p>
  )
}

interface NoRequestsProps {
  toModels: boolean
  /** Present if only the filter hides requests. */
  onClear: (() => void) | undefined
}

function NoRequests({ toModels, onClear }: NoRequestsProps) {
  const reset = useLiveHistory().find((entry) => entry.type === 'sandbox.reset')
  if (onClear) return <NoMatch what="requests" onClear={onClear} />
  return (
    <Empty
      icon={toModels ? 'model' : 'request'}
      title={toModels ? 'No requests to models yet' : 'No requests yet'}
    >
      {reset && (
        <p>
          {reset.data.snapshot === undefined
            ? 'The log was cleared by the reset'
            : `The log was cleared when ${reset.data.snapshot} was restored`}{' '}
          <Ago time={reset.time} />.
        </p>
      )}
      {toModels ? words.callModel : 'Point a client at the address on Home.'}
    </Empty>
  )
}
