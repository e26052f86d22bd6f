import { formDecode, readBasic } from '../../../core/basic-credentials.ts'
import { because, type Evidence, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const secretInBrowser: Rule = {
  id: 'token/secret-in-browser',
  level: 'error',
  certainty: 'certain',
  title: 'A browser sends the client secret, so it is in code that every visitor downloads.',
  fix: 'Make the app public and use PKCE, or send the token request from your server.',
  exceptions: [
    'a server sends Sec-Fetch-Mode, as fetch of Node does',
    'the app of the page is public',
  ],
  sources: [rfc(6749, '2.1'), rfc(6749, '10.1'), rfc(9700, '2.5')],
  check(evidence) {
    const judged = evidence.requests.filter((request) => hasValidSecret(evidence, request))
    return {
      judged: judged.length,
      sightings: judged.filter(isFromBrowser).map((request) => ({
        subject: { clientId: request.clientId },
        key: 'client_secret',
        at: request.record.at,
        evidence: [
          because(
            request,
            'sent the client secret, and has Origin and Sec-Fetch-Site',
            'client_secret',
          ),
        ],
      })),
    }
  },
}

function hasValidSecret({ state }: Evidence, request: SeenRequest): boolean {
  const { path, form, record, clientId } = request
  if (path !== '/oauth/token' || clientId === undefined) return false
  const basic = readBasic(record.request.headers.authorization)?.password
  const secret = state.apps.get(clientId)?.clientSecret
  return (
    secret !== undefined &&
    [form.get('client_secret'), basic, formDecode(basic ?? '')].includes(secret)
  )
}

/** Node sends Sec-Fetch-Mode too; only a page has an origin and a site. */
function isFromBrowser({ record }: SeenRequest): boolean {
  const { origin } = record.request.headers
  return origin !== undefined && record.request.headers['sec-fetch-site'] !== undefined
}
