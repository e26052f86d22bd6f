import type { InferenceEndpointItem } from '../../../../server/contract/control-inference.ts'
import { Table, type Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { words } from '../words.ts'
import { StateCell } from './state-cell.tsx'

interface EndpointTableProps {
  endpoints: readonly InferenceEndpointItem[]
  openId: string | undefined
  onOpen: (endpoint: InferenceEndpointItem) => void
  /** An open endpoint is beside the list. */
  isNarrow: boolean
}

export function EndpointTable({ endpoints, openId, onOpen, isNarrow }: EndpointTableProps) {
  const columns: Column<InferenceEndpointItem>[] = [
    {
      title: words.endpoint,
      minWidth: 10,
      sortBy: ({ namespace, name }) => `${namespace}/${name}`,
      renderCell: (endpoint) => (
        <button
          type="button"
          title={`${endpoint.namespace}/${endpoint.name}`}
          className="flex w-full min-w-0 flex-col text-left"
          onClick={(event) => {
            event.stopPropagation()
            onOpen(endpoint)
          }}
        >
          <span className="w-full truncate font-medium">
            {endpoint.namespace}/{endpoint.name}
          </span>
          <span className="w-full truncate font-mono text-2xs text-muted">
            {endpoint.repository}
          </span>
        </button>
      ),
    },
    {
      title: 'State',
      width: 15,
      sortBy: ({ state }) => state,
      renderCell: (endpoint) => <StateCell endpoint={endpoint} />,
    },
    {
      title: words.instance,
      width: 11,
      priority: 3,
      sortBy: ({ instanceType, instanceSize }) => `${instanceType} ${instanceSize}`,
      renderCell: ({ accelerator, instanceType, instanceSize }) => (
        <span className="text-xs text-muted">
          {accelerator} · {instanceType} {instanceSize}
        </span>
      ),
    },
    {
      title: 'Replicas',
      width: 5.5,
      align: 'right',
      priority: 3,
      descendsFirst: true,
      sortBy: ({ readyReplica }) => readyReplica,
      renderCell: ({ readyReplica, targetReplica }) => `${readyReplica}/${targetReplica}`,
    },
    {
      title: 'Last request',
      width: 7.5,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ lastRequestAt }) => lastRequestAt,
      renderCell: ({ lastRequestAt }) => (
        <span className="text-xs text-muted">
          {lastRequestAt === undefined ? 'never' : <Moment time={lastRequestAt} />}
        </span>
      ),
    },
  ]
  return (
    <Table
      label={words.title}
      rows={endpoints}
      rowKey={({ id }) => id}
      columns={columns}
      openKey={openId}
      isNarrow={isNarrow}
      onOpen={onOpen}
    />
  )
}
