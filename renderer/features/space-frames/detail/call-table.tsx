import type { SpaceFrameCall } from '../../../../server/contract/control-frames.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { words } from '../words.ts'

const columns: readonly Column<SpaceFrameCall>[] = [
  {
    title: 'Request',
    minWidth: 10,
    sortBy: ({ path }) => path,
    renderCell: ({ method, path }) => (
      <span className="block truncate font-mono text-xs" title={`${method} ${path}`}>
        {method} {path}
      </span>
    ),
  },
  {
    title: 'Where',
    width: 6,
    sortBy: ({ place }) => place,
    renderCell: ({ place }) => words.places[place],
  },
  {
    title: 'Status',
    width: 5,
    align: 'right',
    descendsFirst: true,
    sortBy: ({ status }) => status,
    renderCell: ({ status }) => (status === 0 ? '' : status),
  },
  { title: 'Cookies', minWidth: 10, renderCell: (call) => <Cookies call={call} /> },
]

/** Requests of the browser to the app. */
export function CallTable({ calls }: { calls: readonly SpaceFrameCall[] }) {
  if (calls.length === 0)
    return <p className="px-4 pb-4 text-sm text-muted">The browser has sent no requests yet.</p>
  return <Table label={words.requests} rows={calls} rowKey={({ id }) => id} columns={columns} />
}

function Cookies({ call: { cookies, set } }: { call: SpaceFrameCall }) {
  const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ')
  const lost = namesOf(cookies.filter(({ state }) => state !== 'sent'))
  const refused = namesOf(set.filter(({ kept }) => !kept))
  if (lost === '' && refused === '') {
    const sent = namesOf(cookies)
    return <span className="block truncate text-xs text-muted">{sent}</span>
  }
  const text = [lost && `without ${lost}`, refused && `not stored: ${refused}`]
    .filter(Boolean)
    .join('; ')
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs" title={text}>
      <Icon name="warning" className="size-3.5 shrink-0 text-bad" />
      <span className="truncate">{text}</span>
    </span>
  )
}
