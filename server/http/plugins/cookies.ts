// Two kinds of header by hand, held against the package cookie by a test. The package would write the attributes in
// another order, which is another header on the wire, and bring three hundred lines that no bundler can drop, for one
// value that is read and one that is written.
import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../../core/settings.ts'

/**
 * Values of the cookies of one name (RFC 6265 §4.2); the sandbox's own values need no decoding. A browser sends several
 * where a page on another port has set one for another path: their order says nothing about who set them.
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

/** Name of a cookie that the sandbox sets: browsers share cookies between the ports of a host. */
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
 * A `Set-Cookie` value no script can read (RFC 6265 §4.1). Links on pages of other sites send it; with `SameSite=Strict` they
 * would open the sandbox signed out.
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
