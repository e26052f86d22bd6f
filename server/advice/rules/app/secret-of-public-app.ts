import { readBasic } from '../../../core/basic-credentials.ts'
import { because, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const secretOfPublicApp: Rule = {
  id: 'app/secret-of-public-app',
  level: 'note',
  certainty: 'certain',
  title: 'The app sends a client secret, although the Hub knows it as a public app without one.',
  fix: 'Leave client_secret out (token_endpoint_auth_method: none), or give the app a secret in its settings.',
  exceptions: ['the secret is empty'],
  sources: [rfc(6749, '2.3')],
  check({ requests, state }) {
    const judged = requests.filter(({ path, clientId }) => {
      const app = clientId === undefined ? undefined : state.apps.get(clientId)
      return path === '/oauth/token' && app !== undefined && app.clientSecret === undefined
    })
    return {
      judged: judged.length,
      sightings: judged.filter(sendsSecret).map((request) => ({
        subject: { clientId: request.clientId },
        key: 'client_secret',
        at: request.record.at,
        evidence: [because(request, 'sent a client secret', 'client_secret')],
      })),
    }
  },
}

/** Libraries send an empty secret for a public app. */
function sendsSecret({ form, record }: SeenRequest): boolean {
  const basic = readBasic(record.request.headers.authorization)?.password
  return [form.get('client_secret'), basic].some((secret) => secret != null && secret !== '')
}
