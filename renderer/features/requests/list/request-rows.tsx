import type { RequestItem } from '../../../../server/contract/control-requests.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatBytes, formatInstant, formatTook } from '../../../lib/format.ts'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import type { FoldedRequests, FoldedTransfer } from '../model/fold-transfers.ts'
import { Icon } from '../../../ui/icon.tsx'
import { requestSorts } from '../model/sort-requests.ts'
import { StatusBadge } from './status-badge.tsx'
import { ruleName, words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

const appColumn: Column<RequestItem> = {
  title: words.app,
  width: 9,
  priority: 2,
  sortBy: requestSorts.app,
  renderCell: ({ app }) => <span className="text-muted">{visibleControls(app?.name ?? '')}</span>,
}

const modelColumns: readonly Column<RequestItem>[] = [
  {
    title: words.model,
    minWidth: 8,
    priority: 2,
    sortBy: requestSorts.model,
    renderCell: ({ inference }) => (
      <span className="block truncate font-mono text-xs" title={inference?.model}>
        {inference?.model}
      </span>
    ),
  },
  {
    title: words.rule,
    width: 6.5,
    sortBy: requestSorts.rule,
    renderCell: ({ inference }) => inference && <RuleBadge rule={inference.rule} />,
  },
  {
    title: words.streamed,
    width: 6,
    priority: 2,
    renderCell: ({ inference }) =>
      inference && (
        <span className="text-xs text-muted">{inference.streamed ? words.yes : words.no}</span>
      ),
  },
]

/** Rule of the fixtures that a completion comes from. */
function RuleBadge({ rule }: { rule: number | undefined }) {
  if (rule === undefined) return null
  return <Badge tone={rule === 0 ? 'neutral' : 'accent'}>{ruleName(rule)}</Badge>
}

/** Method and path of a request, or what all requests of a transfer did. */
function RequestName({
  request: { method, path },
  transfer,
}: {
  request: RequestItem
  transfer: FoldedTransfer | undefined
}) {
  if (transfer !== undefined) {
    const { isOpen, requests, bytes, failed } = transfer
    return (
      <>
        <Icon
          name="chevron"
          className={classNames('size-3.5 shrink-0 text-faint', isOpen && 'rotate-90')}
        />
        <span className="truncate font-sans">
          {transfer.isUpload ? words.upload : words.download}
          <span className="text-muted"> · {`${requests} requests, ${formatBytes(bytes)}`}</span>
        </span>
        {failed > 0 && <Badge tone="bad">{`${failed} failed`}</Badge>}
      </>
    )
  }
  return (
    <>
      <span className="shrink-0 text-faint">{method}</span>
      <span className="truncate">{path}</span>
    </>
  )
}

interface RequestRowsProps {
  requests: readonly RequestItem[]
  /** Rows that stand for all requests of an upload or download. */
  transfers: FoldedRequests['transfers']
  openId: string | undefined
  onOpen: (request: RequestItem) => void
  onMove: (step: number) => void
  /** An open request is beside the list. */
  isNarrow: boolean
  /** Shows the model and the rule in place of the app. */
  toModels: boolean
  /** Sort that the query asks for. */
  defaultSort: string
}

export function RequestRows({
  requests,
  transfers,
  openId,
  onOpen,
  onMove,
  isNarrow,
  toModels,
  defaultSort,
}: RequestRowsProps) {
  const columns: Column<RequestItem>[] = [
    {
      title: 'When',
      width: 6.5,
      descendsFirst: true,
      sortBy: requestSorts.when,
      renderCell: ({ at }) => (
        <span className="text-xs text-muted">
          <Moment time={at} />
        </span>
      ),
    },
    {
      title: words.status,
      width: 5,
      descendsFirst: true,
      sortBy: requestSorts.status,
      renderCell: ({ status, expected }) => <StatusBadge status={status} expected={expected} />,
    },
    {
      title: words.request,
      // Beside an open request a path has less room.
      minWidth: (toModels ? 14 : 18) - (isNarrow ? 5 : 0),
      inCard: 'head',
      sortBy: requestSorts.request,
      renderCell: (request) => (
        <span className="flex items-center gap-2">
          <button
            type="button"
            className="block min-w-0 flex-1 text-left"
            aria-expanded={transfers.get(request.id)?.isOpen}
            onClick={(event) => {
              event.stopPropagation()
              onOpen(request)
            }}
            // A click leaves the focus here.
            onKeyDown={(event) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
              if (step === undefined) return
              event.preventDefault()
              onMove(step)
            }}
          >
            <span className="flex items-center gap-2 font-mono text-xs">
              <RequestName request={request} transfer={transfers.get(request.id)} />
              {request.resentFrom && <Badge>replay</Badge>}
              {request.faultChanges && <Badge tone="warn">fault</Badge>}
            </span>
            {request.error && !transfers.has(request.id) && (
              <span
                className={classNames(
                  'mt-0.5 block truncate text-xs',
                  request.expected ? 'text-muted' : 'text-bad',
                )}
              >
                <span className="font-mono">{request.error}</span>
                {request.detail && (
                  <span className="text-muted"> · {visibleControls(request.detail)}</span>
                )}
                {request.expected && <span> · normal step of the protocol</span>}
              </span>
            )}
            {!request.error && request.detail && !transfers.has(request.id) && (
              <span className="mt-0.5 block truncate text-xs text-muted">
                {visibleControls(request.detail)}
              </span>
            )}
          </button>
          {!transfers.has(request.id) && <FindingMark of={{ requestId: request.id }} isSmall />}
        </span>
      ),
    },
    ...(toModels ? modelColumns : [appColumn]),
    {
      title: words.user,
      width: 8,
      priority: 2,
      sortBy: requestSorts.user,
      renderCell: ({ user }) => <span className="text-muted">{user?.username}</span>,
    },
    {
      title: words.duration,
      width: 6,
      align: 'right',
      priority: 2,
      descendsFirst: true,
      sortBy: requestSorts.duration,
      renderCell: ({ durationMs, endedAt }) => (
        <span className="text-xs text-muted" title={`completed ${formatInstant(endedAt)}`}>
          {formatTook(durationMs)}
        </span>
      ),
    },
  ]
  return (
    <Table
      label={words.requests}
      rows={requests}
      rowKey={({ id }) => id}
      columns={columns}
      openKey={openId}
      isNarrow={isNarrow}
      onOpen={onOpen}
      defaultSort={defaultSort}
    />
  )
}
