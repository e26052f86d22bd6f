import type { AccessToken } from '../../../state/entities/oauth.ts'
import { groupBy } from '../../../core/group-by.ts'
import { because, type Evidence, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Early refreshes in a row that are a habit. */
const fewest = 3
/** Part of the lifetime that is left. */
const mostLeft = 0.8

export const refreshedEarly: Rule = {
  id: 'token/refreshed-early',
  level: 'note',
  certainty: 'certain',
  title: 'The app refreshes its token long before the token expires.',
  fix: 'Keep the access token for expires_in seconds, and refresh shortly before its end or after a 401.',
  exceptions: ['most of the lifetime is over'],
  sources: [rfc(6749, '1.5')],
  check(evidence) {
    const refreshes = evidence.requests.flatMap((request) => readRefresh(evidence, request))
    const families = groupBy(refreshes, ({ replaced }) => replaced.familyId)
    return {
      judged: refreshes.length,
      sightings: [...families.values()].flatMap((family) => {
        const late = family.findLastIndex(({ left }) => left <= mostLeft)
        const early = family.slice(late + 1)
        const [first, last] = [early[0], early.at(-1)]
        if (first === undefined || last === undefined || early.length < fewest) return []
        return {
          subject: { clientId: last.request.clientId },
          key: 'refresh_token',
          at: last.request.record.at,
          evidence: [first, last].map(({ request, left }) =>
            because(request, `came with ${Math.round(left * 100)} % of the lifetime left`),
          ),
        }
      }),
    }
  },
}

interface Refresh {
  request: SeenRequest
  replaced: AccessToken
  /** Part of its lifetime. */
  left: number
}

/** The token that a refresh replaced is the one before in its family. */
function readRefresh({ state }: Evidence, request: SeenRequest): Refresh[] {
  const { record, form, path } = request
  if (path !== '/oauth/token' || record.grantType !== 'refresh_token' || record.status !== 200) {
    return []
  }
  const { familyId } = state.refreshTokens.get(form.get('refresh_token') ?? '') ?? {}
  const family = familyId === undefined ? [] : state.tokens.group('family', familyId)
  const replaced = family.findLast(({ createdAt }) => createdAt < record.at)
  if (replaced?.expiresAt === undefined) return []
  const left = (replaced.expiresAt - record.at) / (replaced.expiresAt - replaced.createdAt)
  return [{ request, replaced, left }]
}
