import { editDistance } from '../../contract/suggestion.ts'
import type { NearestUri } from '../../contract/nearest-uri.ts'
import { differenceOf } from '../../core/text-difference.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import type { App } from '../../store/entities/oauth-entities.ts'

/** Schemes that run code or read files when opened. */
const forbiddenSchemes = new Set(['javascript', 'data', 'vbscript', 'blob', 'file', 'about'])

interface UriParts {
  scheme: string
  userinfo: string
  host: string
  port: string
  path: string
  query: string
}

type Component = keyof UriParts

/**
 * Splits a URI as text (RFC 3986 appendix B), without the normalization of a URL parser (case, dots, default ports),
 * because a redirect URI must match exactly as registered.
 */
function split(uri: string): UriParts | undefined {
  const match = /^([a-zA-Z][\w+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?$/.exec(uri)
  if (match === null) return undefined
  const [, scheme = '', authority = '', path = '', query = ''] = match
  const at = authority.lastIndexOf('@')
  const hostAndPort = authority.slice(at + 1)
  const port = /:\d*$/.exec(hostAndPort)?.[0] ?? ''
  return {
    scheme,
    userinfo: authority.slice(0, at + 1),
    host: hostAndPort.slice(0, hostAndPort.length - port.length),
    port,
    path,
    query,
  }
}

/**
 * Hosts for which any port is accepted (RFC 8252 §7.3); they are not interchangeable. This is the Hub's list: for other
 * loopback hosts, such as 127.0.0.2 and app.localhost, the port is compared.
 */
const hostsOfAnyPort: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function isLoopback({ scheme, host }: UriParts): boolean {
  return scheme === 'http' && hostsOfAnyPort.has(host)
}

const labels: Record<Component, string> = {
  scheme: 'scheme',
  userinfo: 'userinfo',
  host: 'host',
  port: 'port',
  path: 'path',
  query: 'query',
}

const order: Component[] = ['scheme', 'host', 'userinfo', 'port', 'path', 'query']

function differences(registered: UriParts, requested: UriParts): Component[] {
  const portIsFree = isLoopback(registered) && isLoopback(requested)
  return order.filter(
    (component) =>
      registered[component] !== requested[component] && !(component === 'port' && portIsFree),
  )
}

/** Compares only the beginning of longer components, because their length is up to the client. */
const comparedLength = 200

/** Returns the edit distance of two URIs, summed over the components. */
function editsBetween(one: UriParts, other: UriParts, components: readonly Component[]): number {
  const edits = components.map((component) => {
    const [a, b] = [one[component], other[component]]
    return a.slice(0, comparedLength) === b.slice(0, comparedLength)
      ? Math.abs(a.length - b.length)
      : editDistance(a.slice(0, comparedLength), b.slice(0, comparedLength))
  })
  return edits.reduce((sum, count) => sum + count, 0)
}

interface Candidate {
  uri: string
  differs: Component[]
  edits: number
}

/**
 * Weight of each component that differs. The path names a route of the app, so it counts more than port or scheme; another
 * scheme and host together mean another app.
 */
const distances: Record<Component, number> = {
  path: 5,
  host: 4,
  scheme: 2,
  userinfo: 2,
  port: 2,
  query: 1,
}

/** Compares two candidates by weight, then by edit distance. */
function isNearer(one: Candidate, other: Candidate): boolean {
  const distance = ({ differs }: Candidate) =>
    differs.reduce((sum, component) => sum + distances[component], 0)
  const more = distance(one) - distance(other)
  return more === 0 ? one.edits < other.edits : more < 0
}

export type RedirectUriMatch =
  | { matches: true }
  | {
      matches: false
      reason: string
      /** Registered URI that the reason names. */
      nearest?: string
    }

/**
 * Checks a redirect URI: it must equal a registered one; only for `http` on a loopback host the port may differ. The app
 * of a Space accepts any path and query on the host of the Space, and on loopback hosts for its development.
 * @returns on a mismatch, `reason` names the components that differ from the nearest registered URI
 * @see RFC 6749 §3.1.2.3, RFC 8252 §7.3, RFC 9700 §2.1
 */
export function matchRedirectUri(
  app: Pick<App, 'redirectUris' | 'redirectHosts'>,
  requested: string,
): RedirectUriMatch {
  const problem = redirectUriProblem(requested)
  if (problem !== undefined) return { matches: false, reason: problem }
  const parts = split(requested)
  if (parts === undefined) return { matches: false, reason: 'it is not an absolute URI' }
  const { redirectHosts = [] } = app
  if (redirectHosts.length > 0) {
    // A Space under development runs on this machine instead of the Hub's host.
    if (redirectHosts.some((host) => isOnHost(parts, host)) || isLoopback(parts))
      return { matches: true }
  }
  if (app.redirectUris.includes(requested)) return { matches: true }

  let nearest: Candidate | undefined
  for (const uri of app.redirectUris) {
    const registered = split(uri)
    if (registered === undefined) continue
    const differs = differences(registered, parts)
    if (differs.length === 0) return { matches: true }
    const candidate = { uri, differs, edits: editsBetween(registered, parts, differs) }
    if (nearest === undefined || isNearer(candidate, nearest)) nearest = candidate
  }
  if (nearest === undefined) {
    return {
      matches: false,
      reason:
        redirectHosts.length === 0
          ? 'the app has no registered redirect URI'
          : `the app of a Space only accepts URIs on ${redirectHosts.join(' and ')}, or on a loopback host`,
    }
  }
  const named = nearest.differs.map((component) => labels[component]).join(', ')
  return {
    matches: false,
    nearest: nearest.uri,
    reason: `its ${named} ${nearest.differs.length === 1 ? 'differs' : 'differ'} from the registered ${nearest.uri}${hint(nearest.differs, parts)}`,
  }
}

/**
 * Compares a refused redirect URI with the nearest registered one; `undefined` if it matches, or is nowhere near.
 * On a loopback host any port is accepted, so that another port does not count.
 */
export function nearestRedirectUri(
  app: Pick<App, 'redirectUris' | 'redirectHosts'>,
  requested: string,
): NearestUri | undefined {
  const match = matchRedirectUri(app, requested)
  if (match.matches || match.nearest === undefined) return undefined
  const others = app.redirectUris.filter((uri) => uri !== match.nearest).length
  return {
    value: match.nearest,
    parts: differenceOf(requested, withPortOf(requested, match.nearest)),
    others,
  }
}

/** Returns a registered URI with the port of the one requested, where any port is accepted. */
function withPortOf(requested: string, registered: string): string {
  const [sent, own] = [split(requested), split(registered)]
  if (sent === undefined || own === undefined || !isLoopback(sent) || !isLoopback(own)) {
    return registered
  }
  return `${own.scheme}://${own.userinfo}${own.host}${sent.port}${own.path}${own.query}`
}

function isOnHost(parts: UriParts, host: string): boolean {
  return (
    (parts.scheme === 'https' || parts.scheme === 'http') &&
    parts.userinfo === '' &&
    `${parts.host}${parts.port}` === host
  )
}

function hint(differs: Component[], requested: UriParts): string {
  if (differs.includes('host') && hostsOfAnyPort.has(requested.host)) {
    return ' (localhost, 127.0.0.1 and [::1] are not interchangeable: register each)'
  }
  if (differs.length === 1 && differs[0] === 'port') {
    return ' (any port is accepted only for http on a loopback host)'
  }
  if (differs.length === 1 && differs[0] === 'path') return ' (the path must match exactly)'
  return ''
}

/**
 * Returns why a URI can never be a redirect URI; `undefined` when it can.
 * @see RFC 6749 §3.1.2 (absolute, no fragment), RFC 8252 §7.1 (private-use schemes)
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (!/^[\x21-\x5b\x5d-\x7e]*$/.test(uri)) {
    return 'it contains white space, a backslash, or a non-ASCII character (percent-encode it, RFC 3986)'
  }
  if (uri.includes('#')) return 'it has a fragment (#), which is not allowed in a redirect URI'
  const parts = split(uri)
  if (parts === undefined) return 'it is not an absolute URI'
  const scheme = parts.scheme.toLowerCase()
  if (forbiddenSchemes.has(scheme)) return `the scheme ${scheme}: is not allowed`
  if ((scheme === 'http' || scheme === 'https') && parts.host === '') return 'it has no host'
  if (!URL.canParse(uri)) return 'it is not a valid URL'
  return undefined
}

/**
 * Returns why a URI is no use as the redirect URI of an app: it can never be one, or no request matches it, since URIs are
 * compared as they are. Names the URI that was probably meant.
 */
export function unusableRedirectUri(uri: string): string | undefined {
  const problem = redirectUriProblem(uri) ?? misreadScheme(uri) ?? pattern(uri)
  if (problem === undefined) return undefined
  const meant = meantUri(uri)
  return meant === undefined ? problem : `${problem} (did you mean ${meant}?)`
}

/** A host and port, which read as a scheme and a path. */
const hostAndPort = /^(?:localhost:(?!\/\/)|[\w.-]+:\d+(?:[/?]|$))/i

function misreadScheme(uri: string): string | undefined {
  if (hostAndPort.test(uri)) return 'it has no scheme'
  const { scheme = '', host = '' } = split(uri) ?? {}
  const isMistyped =
    host !== '' && webSchemes.every((web) => web !== scheme.toLowerCase()) && nearWeb(scheme)
  return isMistyped ? `no browser knows the scheme ${scheme}:` : undefined
}

const webSchemes = ['https', 'http']

/** Returns the scheme of the web that differs from a name in one letter. */
function nearWeb(name: string): string | undefined {
  return webSchemes.find((web) => editDistance(web, name.toLowerCase()) === 1)
}

function pattern(uri: string): string | undefined {
  const [part = ''] = uri.split('?', 1)
  if (part.includes('*')) {
    return 'a * stands for itself: redirect URIs are compared as they are, without patterns. Register each one'
  }
  const [invalid] = /["<>^`{|}]/.exec(uri) ?? []
  return invalid === undefined
    ? undefined
    : `it contains ${invalid}, which a URI cannot contain (RFC 3986)`
}

/** Returns the valid redirect URI that is most like this one. */
function meantUri(uri: string): string | undefined {
  const plain = uri
    .trim()
    .replaceAll('\\', '/')
    .replace(/#.*$/s, '')
    // Without a port, a loopback host accepts any; a pattern elsewhere has no counterpart.
    .replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):(?!\d+(?:[/?]|$))[^/?]*/, '$1')
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*):\/*(.*)$/is.exec(plain) ?? []
  const web = webSchemes.find((name) => name === scheme.toLowerCase()) ?? nearWeb(scheme)
  const candidates = [
    plain,
    ...(URL.canParse(plain) ? [new URL(plain).href] : []),
    ...(web === undefined ? [] : [`${web}://${rest}`]),
    ...(/^[\w.-]+(?::\d+)?(?:[/?]|$)/.test(plain) ? [withScheme(plain)] : []),
    ...(plain.startsWith('//') ? [withScheme(plain.slice(2))] : []),
    ...(/^\/(?!\/)/.test(plain) ? [`http://localhost${plain}`] : []),
  ]
  return candidates.find(
    (candidate) =>
      candidate !== uri &&
      (redirectUriProblem(candidate) ?? misreadScheme(candidate) ?? pattern(candidate)) ===
        undefined,
  )
}

/** Puts `http` before a host of this machine and `https` before any other. */
function withScheme(address: string): string {
  const [, host = ''] = /^(\[[^\]]*\]|[^/:?]*)/.exec(address) ?? []
  const isLocal = hostsOfAnyPort.has(host) || isLoopbackHost(host)
  return `${isLocal ? 'http' : 'https'}://${address}`
}
