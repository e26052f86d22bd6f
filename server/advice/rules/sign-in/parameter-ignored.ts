import { knownParameter } from '../../../requests/details/known-parameters.ts'
import { readScopes } from '../../../oauth/scope.ts'
import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Parameters of other providers. */
const foreign: ReadonlyMap<string, string> = new Map([
  ['access_type', 'the Hub sends a refresh token without it'],
  ['approval_prompt', 'use prompt=consent'],
  ['include_granted_scopes', 'the Hub grants the scopes of the request'],
  ['domain_hint', 'the Hub has no counterpart'],
  ['connection', 'the Hub has no counterpart'],
  ['organization_id', 'use orgIds'],
  ['hd', 'use orgIds'],
  ['allow_signup', 'the Hub has no counterpart'],
])

/** A request can name thousands. */
const mostScopes = 5

export const parameterIgnored: Rule = {
  id: 'sign-in/parameter-ignored',
  level: 'note',
  certainty: 'certain',
  title: 'The app sends a parameter or scope that the Hub ignores, so it has no effect.',
  fix: 'Remove it, or use its counterpart of the Hub. A refresh token needs no scope offline_access.',
  exceptions: ['the parameter is unknown'],
  sources: [rfc(6749, '3.1')],
  check({ signIns }) {
    return {
      judged: signIns.length,
      sightings: signIns.flatMap(({ clientId, asked, authorization }) =>
        ignoredNames(asked).map(({ name, why }) => ({
          subject: { clientId },
          key: name,
          at: authorization.record.at,
          evidence: [because(authorization, `sent ${name}: ${why}`, name.split(' ', 1)[0])],
        })),
      ),
    }
  },
}

/** Unknown names are not reported: an app may use them itself. */
function ignoredNames(asked: URLSearchParams): { name: string; why: string }[] {
  const parameters = [...new Set(asked.keys())].flatMap((name) => {
    const why = ignoredBecause(name)
    return why === undefined ? [] : [{ name, why }]
  })
  const { known = [], unknown } = readScopes(asked.get('scope') ?? undefined)
  // A scope without any known name is refused instead.
  const scopes = (known.length === 0 ? [] : unknown.slice(0, mostScopes)).map((scope) => ({
    name: `scope ${scope}`,
    why: 'the Hub has no such scope',
  }))
  return [...parameters, ...scopes]
}

function ignoredBecause(name: string): string | undefined {
  const known = knownParameter(name)
  return known?.readAt.includes('authorize') === false ? known.purpose : foreign.get(name)
}
