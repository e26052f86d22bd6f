import { isLoopbackHost } from '../../../core/loopback.ts'
import { isAddress, kindOfAddress } from '../../../network/address.ts'
import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Names of networks of one's own (RFC 6761, RFC 6762, RFC 8375). */
const privateName = /\.(?:local|internal|test|lan|home\.arpa|localdomain|example|invalid)$/

export const plainHttpRedirect: Rule = {
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
  check({ signIns }) {
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
