import { isLoopbackHost } from '../core/loopback.ts'

/** URL and issuer of a sandbox. */
interface Addresses {
  readonly url: string
  readonly issuer: string
}

/** Members for the decision of the user; the Hub ignores them as URL parameters. */
const ownMembers: ReadonlySet<string> = new Set(['user', 'decision', 'organizations'])

/**
 * Parses the URL to which an app redirects its users.
 * @param text absolute, or a path of the sandbox
 * @returns parameters of the authorization request; a list for one that comes several times
 * @throws {TypeError} for a URL that a browser would open elsewhere
 */
export function authorizationParameters(
  text: string,
  { url, issuer }: Addresses,
): Record<string, string | string[]> {
  const example = `${issuer}/oauth/authorize?client_id=…`
  if (!URL.canParse(text, issuer)) {
    throw new TypeError(
      `Invalid URL ${JSON.stringify(text)}: use the one that the app redirects to, ${example}`,
    )
  }
  const target = new URL(text, issuer)
  if (![url, issuer].some((own) => isSameOrigin(target, new URL(own)))) {
    throw new TypeError(
      `The app redirects to ${target.origin}, which is not the sandbox: set its provider URL (OPENID_PROVIDER_URL) to ${issuer}.`,
    )
  }
  if (target.pathname !== '/oauth/authorize') {
    throw new TypeError(
      `${target.origin}${target.pathname} is not the authorization endpoint: use the URL that the app redirects to, ${example}`,
    )
  }
  const names = [...new Set(target.searchParams.keys())].filter((name) => !ownMembers.has(name))
  return Object.fromEntries(
    names.map((name) => {
      const values = target.searchParams.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

/** Treats all loopback names of a port as equal. */
function isSameOrigin(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true
  const areLoopback = [one, other].every(({ hostname }) => isLoopbackHost(hostname))
  return areLoopback && one.protocol === other.protocol && one.port === other.port
}
