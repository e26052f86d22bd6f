import { useUsers } from '../../../api/accounts.ts'
import { Select } from '../../../ui/select.tsx'
import { words } from '../words.ts'

interface ViewAsProps {
  /** Empty: everything, as the owner of each. */
  user: string
  onUser: (user: string) => void
}

/** Choice of the user whose view is shown, and who acts. */
export function ViewAs({ user, onUser }: ViewAsProps) {
  const users = useUsers().data?.items ?? []
  return (
    <span className="ml-auto flex max-w-full min-w-0 items-center gap-2 text-xs whitespace-nowrap text-muted">
      {words.viewAs}
      <Select
        label={words.viewAs}
        value={user}
        onChange={onUser}
        options={[
          { value: '', label: 'owner' },
          ...users.map(({ username }) => ({ value: username, label: username })),
        ]}
        className="max-w-52!"
      />
    </span>
  )
}
