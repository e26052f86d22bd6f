import { because, type Evidence, type SeenRequest } from '../../evidence.ts'
import { kindOfCall } from '../../kind-of-call.ts'
import { rfc, type Rule } from '../../rule.ts'

const secretParameters = [
  'access_token',
  'client_secret',
  'refresh_token',
  'code_verifier',
  'device_code',
  'id_token',
]

export const secretInUrl: Rule = {
  id: 'token/secret-in-url',
  level: 'error',
  certainty: 'certain',
  title:
    'A token or secret is in the query of a URL. URLs are stored in logs, histories and the Referer header.',
  fix: 'Send tokens in the Authorization header, and secrets in the form of a POST.',
  exceptions: [
    'the ID token is an id_token_hint, which is meant for the URL',
    'the parameter is empty',
  ],
  sources: [rfc(6749, '2.3.1'), rfc(6750, '2.3'), rfc(9700, '4.3.2')],
  check(evidence) {
    const judged = evidence.requests.filter(({ query }) => query.size > 0)
    return {
      judged: judged.length,
      sightings: judged.flatMap((request) =>
        secretsIn(evidence, request).map((name) => ({
          subject: { clientId: request.clientId },
          key: `${kindOfCall(request)} ${name}`,
          at: request.record.at,
          evidence: [because(request, `has ${name} in its query`, name)],
        })),
      ),
    }
  },
}

function secretsIn({ state }: Evidence, { query }: SeenRequest): string[] {
  return [...query].flatMap(([name, value]) => {
    const isSecret =
      (secretParameters.includes(name) && value !== '') ||
      state.tokens.find('token', value) !== undefined ||
      state.refreshTokens.get(value) !== undefined
    return isSecret ? [name] : []
  })
}
