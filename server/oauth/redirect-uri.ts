import { editDistance } from '../core/suggestion.ts'
import type { App } from '../state/entities/oauth.ts'

/** Schemes that run code or read files where they are opened. */
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
 * Splits a URI as text (RFC 3986 appendix B). Parsers normalise case, dots and default ports, and a
 * redirect URI must match as it was registered, so nothing is normalised here.
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
 * RFC 8252 §7.3 as the hub has it: only these hosts may differ in port, and they do not stand for each other. That is
 * its rule and no question of what loopback is: 127.0.0.2 and app.localhost are, and their ports are compared.
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

/** Longer components are compared by their beginning: who asks decides how long they are. */
const comparedLength = 200

/** How many letters apart two URIs are, each component for itself. */
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
 * Distance of a component that differs. The path names a route of the app, so a URI with the same path is nearer, whatever
 * its port or scheme; one of another scheme and host is another app's. Then the port counts.
 */
const distances: Record<Component, number> = {
  path: 5,
  host: 4,
  scheme: 2,
  userinfo: 2,
  port: 2,
  query: 1,
}

/** URIs that are equally near are compared by letters. */
function isNearer(one: Candidate, other: Candidate): boolean {
  const distance = ({ differs }: Candidate) =>
    differs.reduce((sum, component) => sum + distances[component], 0)
  const more = distance(one) - distance(other)
  return more === 0 ? one.edits < other.edits : more < 0
}

export type RedirectUriMatch = { matches: true } | { matches: false; reason: string }

/**
 * Whether an app may be sent back to this URI: the exact string of a registered one; over `http` on a
 * loopback host the port alone may differ. The app of a Space takes any path and query of its host, and of a loopback
 * host, where the Space runs while it is developed.
 * @returns on a mismatch, `reason` names the component that differs from the nearest registered URI
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
    // A Space under development runs on this machine, where the hub's own host for it leads nowhere.
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
          : `the app of a Space takes only addresses of ${redirectHosts.join(' and ')}, or of this machine`,
    }
  }
  const named = nearest.differs.map((component) => labels[component]).join(', ')
  return {
    matches: false,
    reason: `its ${named} ${nearest.differs.length === 1 ? 'differs' : 'differ'} from the registered ${nearest.uri}${hint(nearest.differs, parts)}`,
  }
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
    return ' (localhost, 127.0.0.1 and [::1] do not stand for each other: register each)'
  }
  if (differs.length === 1 && differs[0] === 'port') {
    return ' (a free port is allowed only for http on a loopback host)'
  }
  if (differs.length === 1 && differs[0] === 'path') return ' (the path must match to the letter)'
  return ''
}

/**
 * What forbids a URI as a redirect URI, whatever is registered.
 * @returns the reason, or `undefined` when it may be registered
 * @see RFC 6749 §3.1.2 (absolute, no fragment), RFC 8252 §7.1 (private-use schemes)
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (!/^[\x21-\x5b\x5d-\x7e]*$/.test(uri)) {
    return 'it contains white space, a backslash, or a character outside of ASCII (RFC 3986 has it percent-encoded)'
  }
  if (uri.includes('#')) return 'it has a fragment (#), which a redirect URI may not have'
  const parts = split(uri)
  if (parts === undefined) return 'it is not an absolute URI'
  const scheme = parts.scheme.toLowerCase()
  if (forbiddenSchemes.has(scheme)) return `the scheme ${scheme}: is not allowed`
  if ((scheme === 'http' || scheme === 'https') && parts.host === '') return 'it has no host'
  if (!URL.canParse(uri)) return 'it cannot be read as a URL'
  return undefined
}
