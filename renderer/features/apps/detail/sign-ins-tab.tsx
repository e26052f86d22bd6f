import { Link, useLocation } from 'wouter'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { FlowBadges } from '../../../shared/flow-badges.tsx'
import { lookOf } from '../../../shared/flow-looks.ts'
import { kindTitles } from '../../../shared/words.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { formatCount } from '../../../lib/format.ts'
import { countFlows, passRate } from '../model/app-flows.ts'
import { words } from '../words.ts'

const pathOf = ({ id }: FlowItem) => `/sign-ins/${encodeURIComponent(id)}`

const columns: Column<FlowItem>[] = [
  {
    title: 'Sign-in',
    minWidth: 9,
    renderCell: (flow) => (
      <Link
        href={pathOf(flow)}
        className="block truncate font-medium hover:underline"
        onClick={(event) => event.stopPropagation()}
      >
        {kindTitles[flow.kind]}
        {flow.outcome !== 'completed' && (
          <span className="block truncate text-xs font-normal text-muted">{flow.explanation}</span>
        )}
      </Link>
    ),
  },
  {
    title: 'Outcome',
    width: 8.5,
    sortBy: (flow) => lookOf(flow).word,
    renderCell: (flow) => {
      return (
        <span className="flex flex-wrap gap-1">
          <FlowBadges look={lookOf(flow)} flow={flow} />
        </span>
      )
    },
  },
  {
    title: 'User',
    width: 8,
    priority: 2,
    sortBy: ({ user }) => user?.username,
    renderCell: ({ user }) => <span className="truncate">{user?.username}</span>,
  },
  {
    title: 'Started',
    width: 6.5,
    align: 'right',
    priority: 2,
    descendsFirst: true,
    sortBy: ({ startedAt }) => startedAt,
    renderCell: ({ startedAt }) => <Moment time={startedAt} />,
  },
]

interface SignInsTabProps {
  /** Sign-ins of the app, newest first. */
  flows: readonly FlowItem[]
  onConnect: () => void
}

/** Sign-ins of an app with their pass rate; each leads to its drawing. */
export function SignInsTab({ flows, onConnect }: SignInsTabProps) {
  const [, navigate] = useLocation()
  if (flows.length === 0) {
    return (
      <Empty
        icon="connected"
        title="No sign-ins of this app yet"
        actions={<Button onClick={onConnect}>Connect the app</Button>}
      >
        Run the snippet of a framework, then sign in.
      </Empty>
    )
  }
  return (
    <div className="flex flex-col gap-3 pt-4">
      <PassRate flows={flows} />
      <Panel flush>
        <Table
          label={words.signIns}
          rows={flows}
          rowKey={({ id }) => id}
          columns={columns}
          onOpen={(flow) => navigate(pathOf(flow))}
        />
      </Panel>
    </div>
  )
}

function PassRate({ flows }: { flows: readonly FlowItem[] }) {
  const counts = countFlows(flows)
  const { completed, refused, denied, expired, pending } = counts
  const rate = passRate(counts)
  const further = [
    denied > 0 && `${formatCount(denied)} denied`,
    expired > 0 && `${formatCount(expired)} expired`,
    pending > 0 && `${formatCount(pending)} pending`,
  ].filter((text) => text !== false)
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
      {rate !== undefined && (
        <>
          <strong className="text-lg font-semibold text-ink">{`${rate} passed`}</strong>
          <span>{`${formatCount(completed)} of ${formatCount(completed + refused)} sign-ins`}</span>
        </>
      )}
      {further.map((text) => (
        <span key={text}>· {text}</span>
      ))}
    </p>
  )
}
