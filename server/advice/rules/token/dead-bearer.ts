import { groupBy } from '../../../core/group-by.ts'
import { because, endOf, type SeenRequest, waitBetween } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Refused requests with one token from which on the app does not react. */
const fewest = 3
const asMany = 10
/** Parallel requests of one page are no repetition. */
const apartMs = 1000

export const deadBearer: Rule = {
  id: 'token/dead-bearer',
  level: 'warning',
  certainty: 'certain',
  title: 'The app goes on sending a token that has expired or was revoked.',
  fix: 'After 401, refresh the token once, or ask the user to sign in again.',
  exceptions: [
    'the app refreshes after each refusal',
    'the requests were on their way',
    'one page sends its requests at once',
  ],
  sources: [rfc(6750, '3.1'), rfc(9110, '15.5.2')],
  check({ requests, state }) {
    const known = requests.filter(
      ({ bearer, isFaulted }) =>
        !isFaulted && bearer !== undefined && state.tokens.find('token', bearer) !== undefined,
    )
    const groups = [...groupBy(known, ({ bearer }) => bearer).values()]
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const refused = refusedAfterFirst(group)
        const [first, last] = [refused[0], refused.at(-1)]
        if (first === undefined || last === undefined || !isRepeated(refused)) return []
        return {
          subject: { clientId: last.clientId },
          key: 'authorization',
          ...(refused.length >= asMany && { level: 'error' as const }),
          at: last.record.at,
          evidence: [
            because(first, 'was refused with 401', 'authorization'),
            because(last, `is request ${refused.length} with the same token`, 'authorization'),
          ],
        }
      }),
    }
  },
}

/** The first refused request, and those that began after its response. */
function refusedAfterFirst(group: readonly SeenRequest[]): SeenRequest[] {
  const refused = group.filter(({ record }) => record.status === 401)
  const [first] = refused
  if (first === undefined) return []
  return [first, ...refused.filter(({ record }) => record.receivedMs > endOf(first))]
}

function isRepeated(refused: readonly SeenRequest[]): boolean {
  if (refused.length < fewest) return false
  const routes = new Set(refused.map(({ path, record }) => `${record.method} ${path}`))
  const isApart = refused.slice(1).every((request, index) => {
    const before = refused[index]
    return before !== undefined && waitBetween(before, request) >= apartMs
  })
  return routes.size >= fewest || isApart
}
