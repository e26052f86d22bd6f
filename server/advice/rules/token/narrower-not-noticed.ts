import { parseScope } from '../../../oauth/scope.ts'
import { groupBy } from '../../../core/group-by.ts'
import { because, type Evidence, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** One refused request may be how the app finds out. */
const fewest = 2

export const narrowerNotNoticed: Rule = {
  id: 'token/narrower-not-noticed',
  level: 'warning',
  certainty: 'certain',
  title: 'The app received fewer scopes than it asked for, and uses the token as if it had them.',
  fix: 'Read scope of the token response, and offer only what it allows.',
  exceptions: ['the app finds out by one refused request', 'the app never asked for the scope'],
  sources: [rfc(6749, '3.3'), rfc(6749, '5.1')],
  check(evidence) {
    const asked = askedByFamily(evidence)
    const narrower = evidence.requests.flatMap((request) => {
      const token = evidence.state.tokens.find('token', request.bearer ?? '')
      const wanted = token?.familyId === undefined ? undefined : asked.get(token.familyId)
      const missing = wanted?.filter((scope) => token?.scopes.includes(scope) === false) ?? []
      return missing.length === 0 ? [] : [{ request, missing }]
    })
    const refused = narrower.filter(({ request, missing }) =>
      missing.includes(missingScopeOf(request) ?? ''),
    )
    const groups = groupBy(refused, ({ request }) =>
      JSON.stringify([request.clientId, missingScopeOf(request)]),
    )
    return {
      judged: narrower.length,
      sightings: [...groups.values()].flatMap((group) => {
        const [first, last] = [group[0]?.request, group.at(-1)?.request]
        if (first === undefined || last === undefined || group.length < fewest) return []
        const scope = missingScopeOf(last) ?? ''
        return {
          subject: { clientId: last.clientId },
          key: scope,
          at: last.record.at,
          evidence: [
            because(first, `was refused: the token lacks ${scope}`),
            because(last, `is refused request ${group.length} for this reason`),
          ],
        }
      }),
    }
  },
}

/** Requested scopes of the sign-ins, by the family of their tokens. */
function askedByFamily({ signIns, state }: Evidence): Map<string, string[]> {
  return new Map(
    signIns.flatMap(({ issued, asked }) => {
      const code = issued && state.codes.get(issued.code)
      const scope = asked.get('scope')
      return code === undefined || scope === null ? [] : [[code.familyId, parseScope(scope)]]
    }),
  )
}

function missingScopeOf({ record }: SeenRequest): string | undefined {
  if (record.status !== 403) return undefined
  const challenge = String(record.response.headers['www-authenticate'])
  return /error="insufficient_scope", scope="([^"]+)"/.exec(challenge)?.[1]
}
