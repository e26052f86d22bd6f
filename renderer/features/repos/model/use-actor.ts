import { useOrganizations, useUsers } from '../../../api/accounts.ts'
import { useParameter } from '../../../lib/parameters.ts'

/** User who performs actions in a repo: the one named by `?as=`, else its owner or an admin of its owner. */
export function useActor(namespace: string) {
  const [chosen, setActor] = useParameter('as')
  const users = useUsers().data?.items ?? []
  const organizations = useOrganizations().data?.items ?? []
  const usernames = users.map(({ username }) => username)
  const admin = organizations
    .find(({ name }) => name === namespace)
    ?.members.find(({ role }) => role === 'admin')?.user.username
  const usual = usernames.includes(namespace) ? namespace : (admin ?? usernames[0] ?? '')
  return { actor: chosen || usual, setActor, usernames }
}
