import type { AuditItem } from '../../../../server/contract/control-accounts.ts'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { auditOutcomeOf } from '../model/use-audit-filter.ts'
import { words } from '../words.ts'

const organizationColumn: Column<AuditItem> = {
  title: words.organization,
  width: 8,
  priority: 2,
  renderCell: ({ organization }) => <span title={organization}>{organization}</span>,
}

interface AuditTableProps {
  rows: readonly AuditItem[]
  /** Rows of all organizations, so each names its own. */
  ofAll: boolean
  onOpen: (row: AuditItem) => void
}

export function AuditTable({ rows, ofAll, onOpen }: AuditTableProps) {
  const columns = columnsOf(onOpen)
  return (
    <Table
      label={words.auditLog}
      rows={rows}
      rowKey={({ id }) => id}
      columns={ofAll ? columns.toSpliced(-2, 0, organizationColumn) : columns}
      onOpen={onOpen}
    />
  )
}

function columnsOf(onOpen: (row: AuditItem) => void): Column<AuditItem>[] {
  return [
    {
      title: words.when,
      width: 7.5,
      descendsFirst: true,
      sortBy: ({ createdAt }) => createdAt,
      renderCell: ({ createdAt }) => <Moment time={createdAt} />,
    },
    {
      title: words.outcome,
      width: 6.5,
      sortBy: (row) => auditOutcomeOf(row),
      renderCell: (row) => <AuditOutcome row={row} />,
    },
    {
      title: 'Action',
      inCard: 'head',
      minWidth: 9,
      sortBy: ({ message }) => message,
      renderCell: (row) => (
        <button
          type="button"
          className="text-left whitespace-normal hover:underline"
          onClick={(event) => {
            event.stopPropagation()
            onOpen(row)
          }}
        >
          {row.message}
        </button>
      ),
    },
    {
      title: 'Actor',
      width: 6,
      sortBy: ({ author }) => author?.username,
      renderCell: ({ author }) =>
        author === undefined ? (
          <span className="text-faint">Hub</span>
        ) : (
          <span title={author.username}>{author.username}</span>
        ),
    },
    {
      title: words.event,
      width: 8,
      priority: 3,
      sortBy: ({ type }) => type,
      renderCell: ({ type }) => <Chip>{type}</Chip>,
    },
    {
      title: words.app,
      width: 9.5,
      priority: 3,
      sortBy: ({ clientId }) => clientId,
      renderCell: ({ clientId }) => clientId && <CopyableId text={clientId} what="Client ID" />,
    },
  ]
}

function AuditOutcome({ row }: { row: AuditItem }) {
  const outcome = auditOutcomeOf(row)
  if (outcome === undefined) return null
  const isRefused = outcome === 'refused'
  return (
    <Badge tone={isRefused ? 'bad' : 'ok'} icon={isRefused ? 'cross' : 'check'}>
      {outcome}
    </Badge>
  )
}
