import { Link } from 'wouter'
import type { AuditItem } from '../../../server/contract/control-accounts.ts'
import { useOrganizations } from '../../api/accounts.ts'
import { useWholeList } from '../../api/query.ts'
import { Chip } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { CopyableId } from '../../components/copy.tsx'
import { Icon } from '../../components/icon.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Empty, Unknown } from '../../components/states.tsx'
import { Table, type Column } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'

const columns: Column<AuditItem>[] = [
  { title: 'When', width: 6, renderCell: ({ createdAt }) => <Ago time={createdAt} /> },
  { title: 'Event', width: 11, renderCell: ({ type }) => <Chip>{type}</Chip> },
  {
    title: 'What',
    minWidth: 9,
    renderCell: ({ message }) => <span className="whitespace-normal">{message}</span>,
  },
  {
    title: 'Who',
    width: 8,
    renderCell: ({ author }) => author?.username ?? <span className="text-faint">hub</span>,
  },
  {
    title: 'App',
    width: 9.5,
    wideOnly: true,
    renderCell: ({ clientId }) => clientId && <CopyableId text={clientId} what="Client id" />,
  },
  {
    title: 'From',
    width: 8,
    wideOnly: true,
    renderCell: ({ ip }) => <span className="text-xs text-muted">{ip}</span>,
  },
]

export function AuditLogPage({ organization }: { organization: string }) {
  const rows = useWholeList('GET audit-log', { organization })
  const organizations = useOrganizations().data?.items
  const unknown = organizations?.every(
    ({ name }) => name.toLowerCase() !== organization.toLowerCase(),
  )
  return (
    <Page
      title={`Audit log of ${organization}`}
      lead="What its members, apps and administrators did, as the hub would export it."
      actions={
        <Link href="/people?view=organizations" className={buttonClass()}>
          <Icon name="people" /> Organizations
        </Link>
      }
    >
      {unknown ? (
        <Unknown title="There is no such organization">
          No organization has the name {organization}.
        </Unknown>
      ) : (
        <QueryView query={rows} what="this audit log">
          {({ items }) => (
            <Panel flush>
              {items.length > 0 ? (
                <Table label="Audit log" rows={items} rowKey={({ id }) => id} columns={columns} />
              ) : (
                <Empty icon="audit" title="Nothing recorded yet">
                  Changes of apps, members and tokens of {organization} leave a line here, as does
                  every token exchange.
                </Empty>
              )}
            </Panel>
          )}
        </QueryView>
      )}
    </Page>
  )
}
