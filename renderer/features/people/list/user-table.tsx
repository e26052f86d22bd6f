import { Link } from 'wouter'
import type { UserItem } from '../../../../server/contract/control-accounts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Chips } from '../../../ui/chips.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

interface UserTableProps {
  users: readonly UserItem[]
  onEdit: (user: UserItem) => void
}

export function UserTable({ users, onEdit }: UserTableProps) {
  const columns: Column<UserItem>[] = [
    {
      title: 'User',
      minWidth: 8,
      sortBy: ({ username }) => username,
      renderCell: (user) => (
        <span className="flex items-center gap-2.5">
          <Avatar name={user.username} url={user.avatarUrl} className="size-7" />
          <span className="min-w-0">
            <Link
              href={`/people/${encodeURIComponent(user.username)}`}
              className="block truncate font-medium hover:underline"
              title={user.username}
            >
              {user.username}
            </Link>
            <span className="block truncate text-xs text-muted">
              {visibleControls(user.fullname)}
            </span>
          </span>
        </span>
      ),
    },
    {
      title: words.email,
      minWidth: 10,
      priority: 2,
      sortBy: ({ email }) => email,
      renderCell: (user) => (
        <span className="flex items-center gap-2">
          <span className="truncate" title={user.email}>
            {user.email}
          </span>
          {!user.emailVerified && <Badge tone="warn">not verified</Badge>}
        </span>
      ),
    },
    {
      title: 'Account',
      width: 9,
      sortBy: ({ isPro, canPay }) => -Number(isPro) - Number(canPay),
      renderCell: (user) => (
        <span className="flex flex-wrap gap-1">
          {user.isPro && <Badge tone="accent">{words.pro}</Badge>}
          {user.canPay && <Badge>payment method</Badge>}
          {user.hasPassword && <Badge icon="lock">password</Badge>}
        </span>
      ),
    },
    {
      title: words.organizations,
      minWidth: 10,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ organizations }) => organizations.length,
      renderCell: (user) => (
        <Chips
          words={user.organizations.map(({ name, role }) => `${name} · ${role}`)}
          what="organizations"
        />
      ),
    },
    {
      title: 'sub',
      width: 9.5,
      priority: 3,
      sortBy: ({ id }) => id,
      renderCell: ({ id }) => <CopyableId text={id} what="Subject" />,
    },
    {
      title: 'Actions',
      inCard: 'action',
      width: 5.5,
      align: 'right',
      renderCell: (user) => (
        <Button size="small" icon="edit" onClick={() => onEdit(user)}>
          {words.edit}
          <span className="sr-only"> {user.username}</span>
        </Button>
      ),
    },
  ]
  return (
    <Panel flush>
      {users.length > 0 ? (
        <Table label={words.users} rows={users} rowKey={({ id }) => id} columns={columns} />
      ) : (
        <Empty icon="people" title="No users">
          Signing in requires a user. Add one, or reset to the fixtures.
        </Empty>
      )}
    </Panel>
  )
}
