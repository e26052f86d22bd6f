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

interface Pair {
  readonly first: SeenRequest
  readonly second: SeenRequest
}

/** Refreshes that began before the one before them was answered: the client cannot have known the response. */
export function racesIn(group: readonly SeenRequest[]): Pair[] {
  return pairsIn(group).filter(({ first, second }) => overlaps(first, second))
}

/** Refreshes that came right after the token was replaced: the client may have known the response, or not. */
export function closeRepeatsIn(group: readonly SeenRequest[]): Pair[] {
  return pairsIn(group).filter(({ first, second }) => {
    const isReplaced = first.record.status === 200 && !first.isFaulted
    return isReplaced && !overlaps(first, second) && isOnItsWay(first, second)
  })
}

/** Checks whether some refreshes of a token may have been sent at once. */
export function mayBeRace(group: readonly SeenRequest[]): boolean {
  return racesIn(group).length > 0 || closeRepeatsIn(group).length > 0
}

function pairsIn(group: readonly SeenRequest[]): Pair[] {
  return group.slice(1).flatMap((second, index) => {
    const first = group[index]
    return first === undefined ? [] : { first, second }
  })
}
