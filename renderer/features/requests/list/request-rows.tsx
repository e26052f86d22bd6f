import type { RequestItem } from '../../../../server/contract/control-requests.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatInstant, formatTook } from '../../../lib/format.ts'
import { StatusBadge } from './status-badge.tsx'
import { words } from '../words.ts'

interface RequestRowsProps {
  requests: readonly RequestItem[]
  openId: string | undefined
  onOpen: (request: RequestItem) => void
  onMove: (step: number) => void
  /** An open request is beside the list. */
  isNarrow: boolean
}

export function RequestRows({ requests, openId, onOpen, onMove, isNarrow }: RequestRowsProps) {
  const columns: Column<RequestItem>[] = [
    {
      title: words.when,
      width: 6.5,
      renderCell: ({ at }) => (
        <span className="text-xs text-muted">
          <Moment time={at} />
        </span>
      ),
    },
    {
      title: words.status,
      width: 5,
      renderCell: ({ status, expected }) => <StatusBadge status={status} expected={expected} />,
    },
    {
      title: words.request,
      minWidth: 14,
      renderCell: (request) => (
        <button
          type="button"
          className="block w-full text-left"
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
            <span className="shrink-0 text-faint">{request.method}</span>
            <span className="truncate">{request.path}</span>
            {request.resentFrom && <Badge>{words.resentBadge}</Badge>}
            {request.faultChanges && <Badge tone="warn">{words.faultBadge}</Badge>}
          </span>
          {request.error && (
            <span
              className={classNames(
                'mt-0.5 block truncate text-xs',
                request.expected ? 'text-muted' : 'text-bad',
              )}
            >
              <span className="font-mono">{request.error}</span>
              {request.detail && <span className="text-muted"> · {request.detail}</span>}
              {request.expected && <span> · {words.expected}</span>}
            </span>
          )}
          {!request.error && request.detail && (
            <span className="mt-0.5 block truncate text-xs text-muted">{request.detail}</span>
          )}
        </button>
      ),
    },
    {
      title: words.app,
      width: 10,
      priority: 2,
      renderCell: ({ app }) => <span className="text-muted">{app?.name}</span>,
    },
    {
      title: words.user,
      width: 8,
      priority: 2,
      renderCell: ({ user }) => <span className="text-muted">{user?.username}</span>,
    },
    {
      title: words.duration,
      width: 5,
      align: 'right',
      priority: 2,
      renderCell: ({ durationMs, endedAt }) => (
        <span className="text-xs text-muted" title={words.completedAt(formatInstant(endedAt))}>
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
    />
  )
}
