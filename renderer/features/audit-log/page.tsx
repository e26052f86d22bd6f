import type { AuditItem } from '../../../server/contract/control-accounts.ts'
import { useOrganizations } from '../../api/accounts.ts'
import { useWholeList } from '../../api/query.ts'
import { Page, Panel } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty, MoreThanShown, NoMatch, Unknown } from '../../ui/states.tsx'
import { useParameter } from '../../lib/parameters.ts'
import { AuditFilters } from './list/audit-filters.tsx'
import { AuditRowDialog } from './detail/audit-row-dialog.tsx'
import { AuditTable } from './list/audit-table.tsx'
import { useAuditFilter } from './model/use-audit-filter.ts'
import { words } from './words.ts'

export function AuditLogPage() {
  const [organization, setOrganization] = useParameter('organization')
  const organizations = useOrganizations().data?.items
  const isUnknown =
    organization !== '' &&
    organizations?.every(({ name }) => name.toLowerCase() !== organization.toLowerCase()) === true
  const names = organizations?.map(({ name }) => name) ?? []
  return (
    <Page
      title={organization === '' ? words.auditLog : `Audit log of ${organization}`}
      lead="Token exchanges and administrative token actions, as in the Hub's export."
      actions={
        <Select
          label={words.organization}
          className="max-w-60"
          value={organization}
          onChange={setOrganization}
          options={[
            { value: '', label: 'All organizations' },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
        />
      }
    >
      {isUnknown ? (
        <Unknown title="Organization not found">{`No organization is named ${organization}.`}</Unknown>
      ) : (
        <AuditRows key={organization} organization={organization} />
      )}
    </Page>
  )
}

function AuditRows({ organization }: { organization: string }) {
  const filters = organization === '' ? {} : { organization }
  const rows = useWholeList('GET audit-log', filters)
  return (
    <QueryView query={rows} what="this audit log">
      {({ items, cut }) => (
        <>
          <AuditLog items={items} organization={organization} />
          {cut && <MoreThanShown shown={items.length} />}
        </>
      )}
    </QueryView>
  )
}

interface AuditLogProps {
  items: readonly AuditItem[]
  organization: string
}

function AuditLog({ items, organization }: AuditLogProps) {
  const filter = useAuditFilter(items)
  const [opened, setOpened] = useParameter('row')
  const row = items.find(({ id }) => id === opened)
  const whose = organization === '' ? 'the organizations' : organization
  return (
    <>
      {items.length > 0 && <AuditFilters filter={filter} />}
      <Panel flush>
        {filter.shown.length > 0 ? (
          <AuditTable
            rows={filter.shown}
            ofAll={organization === ''}
            onOpen={({ id }) => setOpened(id, { push: true })}
          />
        ) : items.length > 0 ? (
          <NoMatch what="entries" onClear={filter.clear} />
        ) : (
          <Empty icon="audit" title="No entries yet">
            {`Token exchanges of apps of ${whose}, granted or refused, and token revocations by administrators are logged here.`}
          </Empty>
        )}
      </Panel>
      {row && <AuditRowDialog row={row} onClose={() => setOpened('')} />}
    </>
  )
}
