import { readBasic } from '../../../core/basic-credentials.ts'
import { isLoopbackHost } from '../../../core/loopback.ts'
import { isAddress, kindOfAddress } from '../../../web/outgoing/address.ts'
import { because, type SeenRequest } from '../evidence.ts'
import { rfc, type Rule } from '../rule.ts'

/** Names of networks of one's own (RFC 6761, RFC 6762, RFC 8375). */
const privateName = /\.(?:local|internal|test|lan|home\.arpa|localdomain|example|invalid)$/

const plainHttpRedirect: Rule = {
  id: 'app/plain-http-redirect',
  level: 'warning',
  certainty: 'certain',
  title: 'The redirect URI uses http, so everybody on the way can read the authorization code.',
  fix: 'Serve the callback with https, and register that URL.',
  exceptions: [
    'the host is a private address',
    'the host is the name of a container',
    'the host is localhost',
  ],
  sources: [rfc(9700, '2.1'), rfc(8252, '8.3')],
  watch({ signIns }) {
    const redeemed = signIns.filter(({ redeemed: tokens }) => tokens !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed.flatMap(({ clientId, asked, redeemed: tokens, authorization }) => {
        const uri = asked.get('redirect_uri') ?? tokens?.form.get('redirect_uri') ?? ''
        if (!isPlain(uri)) return []
        return {
          subject: { clientId },
          key: 'redirect_uri',
          at: authorization.record.at,
          evidence: [because(authorization, 'has a redirect_uri with http', 'redirect_uri')],
        }
      }),
    }
  },
}

/** Names without a dot are those of containers. */
function isPlain(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (protocol !== 'http:' || isLoopbackHost(host)) return false
  if (isAddress(host)) return kindOfAddress(host) === 'public'
  return host.includes('.') && !privateName.test(host)
}

const secretOfPublicApp: Rule = {
  id: 'app/secret-of-public-app',
  level: 'note',
  certainty: 'certain',
  title: 'The app sends a client secret, although the Hub knows it as a public app without one.',
  fix: 'Leave client_secret out (token_endpoint_auth_method: none), or give the app a secret in its settings.',
  exceptions: ['the secret is empty'],
  sources: [rfc(6749, '2.3')],
  watch({ requests, state }) {
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

export const appRules: readonly Rule[] = [plainHttpRedirect, secretOfPublicApp]
