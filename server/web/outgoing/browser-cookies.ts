import { defaultPath, endOf, isPathWithin, parseSetCookie } from './set-cookie.ts'

interface Kept {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly isHostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly endsAt: number | undefined
}

/** Cookies that are kept at most, so that no app fills the memory. */
const mostCookies = 200
const longestCookie = 4096

/** Cookies of one browser, by RFC 6265 §5. Ports are not distinguished, as in browsers. */
export interface CookieJar {
  /** @returns `Cookie` header; `undefined` without cookies */
  header(url: URL): string | undefined
  store(url: URL, lines: readonly string[]): void
}

/** @param now real time in milliseconds; since 1970, if a server sends `Expires` */
export function createCookieJar(now: () => number): CookieJar {
  const cookies = new Map<string, Kept>()

  return {
    header(url) {
      const sent = [...cookies.values()].filter((cookie) => isSent(cookie, url, now()))
      if (sent.length === 0) return undefined
      // Longer paths come first (RFC 6265 §5.4).
      const inOrder = sent.toSorted((a, b) => b.path.length - a.path.length)
      return inOrder.map(({ name, value }) => `${name}=${value}`).join('; ')
    },
    store(url, lines) {
      for (const line of lines) {
        const cookie = parseSetCookie(line)
        if (cookie === undefined || cookie.name.length + cookie.value.length > longestCookie)
          continue
        const host = cookie.domain ?? url.hostname
        // A site may set cookies for its own domains only.
        if (!isWithin(url.hostname, host)) continue
        const path = cookie.path ?? defaultPath(url.pathname)
        const key = JSON.stringify([host, path, cookie.name])
        const endsAt = endOf(cookie, now())
        cookies.delete(key)
        if (endsAt !== undefined && endsAt <= now()) continue
        if (cookies.size >= mostCookies) continue
        const { name, value, secure, domain } = cookie
        cookies.set(key, {
          name,
          value,
          host,
          isHostOnly: domain === undefined,
          path,
          secure,
          endsAt,
        })
      }
    },
  }
}

function isSent({ host, isHostOnly, path, secure, endsAt }: Kept, url: URL, now: number): boolean {
  return (
    (isHostOnly ? url.hostname === host : isWithin(url.hostname, host)) &&
    isPathWithin(url.pathname, path) &&
    (!secure || url.protocol === 'https:' || isLocal(url.hostname)) &&
    (endsAt === undefined || endsAt > now)
  )
}

/** Browsers send Secure cookies to this machine without TLS, too. */
function isLocal(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]'
  )
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
