import { groupBy } from '../../../core/group-by.ts'
import {
  type Evidence,
  overlaps,
  type SeenRequest,
  toleranceMs,
  waitBetween,
} from '../../evidence.ts'

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

/**
 * Checks whether a request came so soon after a response that the client cannot have read it: the sandbox answers one
 * refresh before it reads the next.
 */
export function isOnItsWay(first: SeenRequest, second: SeenRequest): boolean {
  return waitBetween(first, second) < toleranceMs
}

/** Checks whether a refresh was sent before the client knew the response to the other one. */
function isAtOnce(first: SeenRequest, second: SeenRequest): boolean {
  if (overlaps(first, second)) return true
  const isReplaced = first.record.status === 200 && !first.isFaulted
  return isReplaced && isOnItsWay(first, second)
}

/** Refreshes that were sent before the client knew the response to the one before them, each with that one. */
export function atOnceIn(
  group: readonly SeenRequest[],
): { first: SeenRequest; second: SeenRequest }[] {
  return group.slice(1).flatMap((second, index) => {
    const first = group[index]
    return first !== undefined && isAtOnce(first, second) ? { first, second } : []
  })
}
