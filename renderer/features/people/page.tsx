import { useState } from 'react'
import type { OrganizationItem, UserItem } from '../../../server/contract/control-accounts.ts'
import { useOrganizations, useUsers } from '../../api/accounts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useParameter } from '../../lib/parameters.ts'
import { OrganizationDialog } from './detail/organization-dialog.tsx'
import { OrganizationList } from './list/organization-list.tsx'
import { UserDialog } from './detail/user-dialog.tsx'
import { UserTable } from './list/user-table.tsx'
import { words } from './words.ts'

const views = ['users', 'organizations'] as const

export function PeoplePage() {
  const users = useUsers()
  const organizations = useOrganizations()
  const [view, setView] = useParameter('view', views)
  const [user, setUser] = useState<UserItem | 'new'>()
  const [organization, setOrganization] = useState<OrganizationItem | 'new'>()
  return (
    <Page
      title={'Users & organizations'}
      lead="Accounts, roles and memberships."
      actions={
        view === 'users' ? (
          <Button look="primary" icon="plus" onClick={() => setUser('new')}>
            {words.addUser}
          </Button>
        ) : (
          <Button look="primary" icon="plus" onClick={() => setOrganization('new')}>
            {words.addOrganization}
          </Button>
        )
      }
    >
      <div className="pb-3">
        <Segments
          label="Show"
          value={view}
          onChange={setView}
          options={[
            { value: 'users', label: words.users, count: users.data?.items.length },
            {
              value: 'organizations',
              label: words.organizations,
              count: organizations.data?.items.length,
            },
          ]}
        />
      </div>
      {view === 'users' ? (
        <QueryView query={users} what="users">
          {({ items }) => <UserTable users={items} onEdit={setUser} />}
        </QueryView>
      ) : (
        <QueryView query={organizations} what="organizations">
          {({ items }) => <OrganizationList organizations={items} onEdit={setOrganization} />}
        </QueryView>
      )}
      {user && (
        <UserDialog user={user === 'new' ? undefined : user} onClose={() => setUser(undefined)} />
      )}
      {organization && (
        <OrganizationDialog
          organization={organization === 'new' ? undefined : organization}
          onClose={() => setOrganization(undefined)}
        />
      )}
    </Page>
  )
}
