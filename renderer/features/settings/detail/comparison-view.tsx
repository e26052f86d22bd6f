import type {
  ComparedHost,
  ComparedThings,
  Comparison,
} from '../../../../server/contract/control-comparison.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { TableHead } from '../../../ui/table-head.tsx'
import { formatCount } from '../../../lib/format.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'
import { words } from '../words.ts'

/** Differences between another state and the current one. */
export function ComparisonView({ comparison: { things, hosts } }: { comparison: Comparison }) {
  const different = things.filter(
    ({ added, removed, changed }) => added.count + removed.count + changed.count > 0,
  )
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[1.6fr_1fr]">
      <div className="flex min-w-0 flex-col gap-4">
        {different.length === 0 && (
          <Empty icon="check" title="No differences">
            {words.noDifferencesHint}
          </Empty>
        )}
        {different.map((thing) => (
          <Differences key={thing.kind} of={thing} />
        ))}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Content things={things} />
        {hosts.length > 0 && <Hosts hosts={hosts} />}
      </div>
    </div>
  )
}

const titles: Readonly<Record<ComparedThings['kind'], string>> = {
  users: 'Users',
  organizations: 'Organizations',
  apps: 'Apps',
  repos: 'Repos',
  collections: 'Collections',
  webhooks: 'Webhooks',
  jobs: 'Jobs',
}

function Differences({ of: { kind, added, removed, changed } }: { of: ComparedThings }) {
  const lines = [
    ...added.names.map((name) => ({ sign: '+', what: 'added', name, members: '' })),
    ...removed.names.map((name) => ({ sign: '−', what: 'removed', name, members: '' })),
    ...changed.things.map(({ name, members }) => ({
      sign: '~',
      what: 'changed',
      name,
      members: members.join(', '),
    })),
  ]
  const untold = added.count + removed.count + changed.count - lines.length
  return (
    <Panel title={titles[kind]}>
      <ul className="flex flex-col divide-y divide-line text-sm">
        {lines.map(({ sign, what, name, members }) => (
          <li key={`${sign} ${name}`} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
            <span className="w-26 shrink-0 text-xs text-muted">
              <span aria-hidden="true" className="mr-2 inline-block w-2 font-mono">
                {sign}
              </span>
              {what}
            </span>
            <span className="min-w-0 flex-1 font-medium break-words">{visibleControls(name)}</span>
            {members && <span className="font-mono text-xs text-muted">{members}</span>}
          </li>
        ))}
      </ul>
      {untold > 0 && <p className="pt-2 text-xs text-muted">{`and ${formatCount(untold)} more`}</p>}
    </Panel>
  )
}

function Content({ things }: { things: Comparison['things'] }) {
  return (
    <Panel title="Contents">
      <table className="w-full text-sm">
        <TableHead
          columns={[
            { title: 'Kind' },
            { title: 'Snapshot', className: 'text-right' },
            { title: 'Now', className: 'text-right' },
          ]}
        />
        <tbody>
          {things.map(({ kind, there, here }) => (
            <tr key={kind}>
              <th className="py-0.5 text-left font-normal">{titles[kind]}</th>
              <td className="text-right">{formatCount(there.count)}</td>
              <td className="text-right text-muted">{formatCount(here)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Hosts({ hosts }: { hosts: readonly ComparedHost[] }) {
  return (
    <Panel title="External hosts" lead="Hosts used by its webhooks and redirect URIs.">
      <ul className="flex flex-col gap-1 text-sm">
        {hosts.map(({ host, use, isLoopback }) => (
          <li key={`${use} ${host}`} className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 flex-1 font-mono text-xs break-all">{host}</span>
            <span className="text-xs text-muted">{use}</span>
            {!isLoopback && <Badge tone="warn">another machine</Badge>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
