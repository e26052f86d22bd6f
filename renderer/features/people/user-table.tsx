import type { UserItem } from '../../../server/contract/control-accounts.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Badge, Chip } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyableId } from '../../components/copy.tsx'
import { Panel } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Table, type Column } from '../../components/table.tsx'

interface UserTableProps {
  users: readonly UserItem[]
  onEdit: (user: UserItem) => void
}

export function UserTable({ users, onEdit }: UserTableProps) {
  const columns: Column<UserItem>[] = [
    {
      title: 'User',
      renderCell: (user) => (
        <span className="flex items-center gap-2.5">
          <Avatar name={user.username} url={user.avatarUrl} className="size-7" />
          <span className="min-w-0">
            <span className="block font-medium">{user.username}</span>
            <span className="block truncate text-xs text-muted">{user.fullname}</span>
          </span>
        </span>
      ),
    },
    {
      title: 'E-mail',
      wideOnly: true,
      renderCell: (user) => (
        <span className="flex items-center gap-2">
          {user.email}
          {!user.emailVerified && <Badge tone="warn">not verified</Badge>}
        </span>
      ),
    },
    {
      title: 'Is',
      renderCell: (user) => (
        <span className="flex flex-wrap gap-1">
          {user.isPro && <Badge tone="accent">PRO</Badge>}
          {user.canPay && <Badge>can pay</Badge>}
          {user.hasPassword && <Badge icon="lock">password</Badge>}
        </span>
      ),
    },
    {
      title: 'Organizations',
      wideOnly: true,
      renderCell: (user) => (
        <span className="flex flex-wrap gap-1">
          {user.organizations.map(({ name, role }) => (
            <Chip key={name}>
              {name} · {role}
            </Chip>
          ))}
        </span>
      ),
    },
    {
      title: 'Subject',
      wideOnly: true,
      renderCell: ({ id }) => <CopyableId text={id} what="Subject" />,
    },
    {
      title: 'Actions',
      align: 'right',
      renderCell: (user) => (
        <Button size="small" icon="edit" onClick={() => onEdit(user)}>
          Edit<span className="sr-only"> {user.username}</span>
        </Button>
      ),
    },
  ]
  return (
    <Panel flush>
      {users.length > 0 ? (
        <Table label="Users" rows={users} rowKey={({ id }) => id} columns={columns} />
      ) : (
        <Empty icon="people" title="No users">
          Without a user nobody can sign in. Add one, or reset to the fixtures.
        </Empty>
      )}
    </Panel>
  )
}
