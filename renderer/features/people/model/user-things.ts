import { withKey } from '../../../../server/contract/query/edit-query.ts'
import { useRead, useWholeList } from '../../../api/query.ts'

/** Rows of each list; its link leads to all of them. */
const mostRows = 6

/** The newest things of a user, of each kind. */
export function useUserThings(username: string) {
  const limit = mostRows
  const q = withKey('requests', '', 'user', username)
  const tokens = useRead('GET tokens', { query: { user: username, limit } })
  const flows = useRead('GET flows', { query: { q, limit } })
  const requests = useRead('GET requests', { query: { q, limit } })
  const repos = useRead('GET repos', { query: { search: `${username}/`, limit: 50 } })
  const consents = useWholeList('GET consents')
  const webhooks = useWholeList('GET webhooks')
  return {
    q,
    tokens: tokens.data?.items ?? [],
    flows: flows.data?.items ?? [],
    requests: requests.data?.items ?? [],
    repos: (repos.data?.items ?? [])
      .filter(({ name }) => name.startsWith(`${username}/`))
      .slice(0, mostRows),
    consents: (consents.data?.items ?? []).filter(({ user }) => user.username === username),
    webhooks: (webhooks.data?.items ?? []).filter(({ owner }) => owner.username === username),
  }
}
