// Parses and writes cookies by hand; a test compares it with the package `cookie`, which writes the attributes in another
// order and adds 300 lines that no bundler can drop.
import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../../core/settings.ts'

/**
 * Returns the values of all cookies with a name (RFC 6265 §4.2), without decoding. A browser sends several if a page on
 * another port has set one for another path, in no reliable order.
 */
export function readCookies(headers: IncomingHttpHeaders, name: string): string[] {
  const values: string[] = []
  for (const pair of headers.cookie?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name)
      values.push(pair.slice(equals + 1).trim())
  }
  return values
}

/** Returns the name of a cookie with the port: browsers share cookies between the ports of a host. */
export function cookieOfPort(name: string, { port }: Pick<Settings, 'port'>): string {
  return `${name}_${port}`
}

/** Message for a client that sent several cookies with one name. */
export function severalCookies(name: string): string {
  return `The request has several cookies named ${name}, so it is not clear which is the sandbox's own: a page on another port of this host may have set one. Clear the cookies of this host in your browser, then try again.`
}

export interface CookieOptions {
  /** Seconds; 0 deletes it, absent = until the browser closes. */
  maxAge?: number
  secure: boolean
  path?: string
}

/**
 * Formats a `Set-Cookie` value that no script can read (RFC 6265 §4.1). It is `SameSite=Lax`, so that a link on another site
 * opens the sandbox signed in.
 */
export function formatCookie(name: string, value: string, options: CookieOptions): string {
  return [
    `${name}=${value}`,
    `Path=${options.path ?? '/'}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(options.maxAge === undefined ? [] : [`Max-Age=${options.maxAge}`]),
    ...(options.secure ? ['Secure'] : []),
  ].join('; ')
}
