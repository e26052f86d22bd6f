import type { TokenRights } from '../../../../server/contract/control-tokens.ts'
import { useRead } from '../../../api/query.ts'
import { Chip } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { words } from '../words.ts'

type Row = TokenRights['rows'][number]

/** Permissions of a token: a row for each action, a column for each owner of resources. */
export function TokenRightsPart({ id }: { id: string }) {
  const rights = useRead('GET tokens/:id/rights', { params: { id } })
  return (
    <section className="flex flex-col gap-2" aria-label={words.permissions}>
      <h3 className="eyebrow">{words.permissions}</h3>
      <QueryView query={rights} what="the permissions">
        {(data) => (
          <>
            {data.refused && (
              <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm">
                No longer valid: {data.refused} It used to allow:
              </p>
            )}
            {data.scopes.length > 0 && <Scopes scopes={data.scopes} />}
            {data.rows.length > 0 && <RightsTable rights={data} />}
            {data.ownersLeftOut > 0 && (
              <p className="text-xs text-muted">
                {data.ownersLeftOut} more organizations are not shown.
              </p>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

function Scopes({ scopes }: Pick<TokenRights, 'scopes'>) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {scopes.map(({ scope, allows }) => (
        <li key={scope} className="grid items-baseline gap-x-2 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
          <span className="min-w-0">
            <Chip>{scope}</Chip>
          </span>
          <span className="text-muted">{allows}</span>
        </li>
      ))}
    </ul>
  )
}

function RightsTable({ rights: { owners, rows } }: { rights: TokenRights }) {
  return (
    // A frame that scrolls must be reachable by keyboard.
    <section
      aria-label={words.permissionsByOwner}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="scroll-quiet relative overflow-x-auto"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-left align-bottom">
            <th scope="col" className="eyebrow py-1.5 pr-3">
              On resources of
            </th>
            {owners.map(({ kind, name, role }) => (
              <th key={`${kind} ${name}`} scope="col" className="max-w-40 px-2 py-1.5 font-medium">
                <span className="block break-all">{name}</span>
                <span className="block text-2xs font-normal text-muted">
                  {kind === 'user' ? 'the user' : `role ${role ?? 'unknown'}`}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.what} className="border-b border-line/60 align-top last:border-0">
              <th scope="row" className="min-w-44 py-1.5 pr-3 text-left font-normal">
                {row.what}
                <span className="block">
                  {row.scopes.map((scope) => (
                    <Chip key={scope}>{scope}</Chip>
                  ))}
                </span>
              </th>
              {owners.map(({ kind, name }) => (
                <Cell
                  key={`${kind} ${name}`}
                  cell={row.cells.find(({ owner }) => owner === name)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ cell }: { cell: Row['cells'][number] | undefined }) {
  if (cell === undefined) return <td className="px-2 py-1.5 text-faint">–</td>
  return (
    <td className="min-w-32 px-2 py-1.5">
      <span className={cell.allowed ? 'text-ok' : 'text-bad'}>
        <Icon name={cell.allowed ? 'check' : 'cross'} className="mr-1 inline size-3.5" />
        {cell.allowed ? 'yes' : 'no'}
      </span>
      {cell.because && <span className="block text-2xs text-muted">{cell.because}</span>}
    </td>
  )
}
