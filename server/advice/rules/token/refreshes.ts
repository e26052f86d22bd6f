import { groupBy } from '../../../core/group-by.ts'
import type { Evidence, SeenRequest } from '../../evidence.ts'

/** Refresh requests of each refresh token, in the order of their arrival. */
export function refreshesByToken({ requests }: Evidence): SeenRequest[][] {
  const refreshes = requests.filter(
    ({ path, record }) => path === '/oauth/token' && record.grantType === 'refresh_token',
  )
  const groups = groupBy(refreshes, ({ form }) => form.get('refresh_token') ?? undefined)
  return [...groups.values()].map((group) =>
    group.toSorted((one, other) => one.record.receivedMs - other.record.receivedMs),
  )
}
