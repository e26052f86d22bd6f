/** A `Set-Cookie` header line, as browsers read it (RFC 6265bis §5.6). */
export interface SetCookie {
  readonly name: string
  readonly value: string
  /** Without a leading dot; absent = the cookie is for one host. */
  readonly domain?: string
  /** Absent = folder of the path of the request. */
  readonly path?: string
  /** Absent = none or unknown, which means `Lax`. */
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly partitioned: boolean
  /** Lifetime in seconds; takes precedence over `expires`. */
  readonly maxAge?: number
  /** Milliseconds since 1970. */
  readonly expires?: number
}

/** Browsers ignore longer attributes (RFC 6265bis §5.6). */
const longestAttribute = 1024

const sameSites = { strict: 'Strict', lax: 'Lax', none: 'None' } as const

/** @returns `undefined` for a line that browsers ignore */
export function parseSetCookie(line: string): SetCookie | undefined {
  const [pair = '', ...parts] = line.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, Math.max(equals, 0)).trim()
  const value = pair.slice(equals + 1).trim()
  if (name === '' && value === '') return undefined
  const attributes = new Map(
    parts.flatMap((part) => {
      const at = part.indexOf('=')
      const [key, text] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
      const isRead = key.length <= longestAttribute && text.length <= longestAttribute
      return isRead ? [[key.trim().toLowerCase(), text.trim()] as const] : []
    }),
  )
  const domain = attributes.get('domain')?.toLowerCase().replace(/^\./, '')
  const path = attributes.get('path')
  const sameSite = new Map(Object.entries(sameSites)).get(
    attributes.get('samesite')?.toLowerCase() ?? '',
  )
  const maxAge = attributes.get('max-age')
  const expires = Date.parse(attributes.get('expires') ?? '')
  return {
    name,
    value,
    ...(domain ? { domain } : {}),
    ...(path?.startsWith('/') === true ? { path } : {}),
    ...(sameSite === undefined ? {} : { sameSite }),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    partitioned: attributes.has('partitioned'),
    ...(maxAge !== undefined && /^-?\d+$/.test(maxAge) ? { maxAge: Number(maxAge) } : {}),
    ...(Number.isNaN(expires) ? {} : { expires }),
  }
}

/** Attributes for people, without the value. */
export function attributesOf(cookie: SetCookie): string {
  const { domain, path, sameSite, secure, httpOnly, partitioned, maxAge, expires } = cookie
  return [
    sameSite === undefined ? 'no SameSite (= Lax)' : `SameSite=${sameSite}`,
    secure ? 'Secure' : '',
    partitioned ? 'Partitioned' : '',
    httpOnly ? 'HttpOnly' : '',
    path === undefined ? '' : `Path=${path}`,
    domain === undefined ? '' : `Domain=${domain}`,
    maxAge === undefined ? '' : `Max-Age=${maxAge}`,
    maxAge === undefined && expires !== undefined ? 'Expires' : '',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

/** Time at which a cookie ends, in milliseconds; `undefined` = with the browser. */
export function endOf({ maxAge, expires }: SetCookie, setAtMs: number): number | undefined {
  if (maxAge !== undefined) return maxAge <= 0 ? 0 : setAtMs + maxAge * 1000
  return expires
}

/** Folder of a path, for cookies without `Path` (RFC 6265 §5.1.4). */
export function defaultPath(path: string): string {
  const end = path.lastIndexOf('/')
  return end <= 0 ? '/' : path.slice(0, end)
}

/** Checks whether a cookie of this path is sent with a request (RFC 6265 §5.1.4). */
export function isPathWithin(path: string, cookiePath: string): boolean {
  if (path === cookiePath) return true
  return path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)
}
