// Two kinds of header by hand, held against the package cookie by a test. The package would write the attributes in
// another order, which is another header on the wire, and bring three hundred lines that no bundler can drop, for one
// value that is read and one that is written.
import type { IncomingHttpHeaders } from 'node:http'

/** Value of one cookie (RFC 6265 §4.2); the sandbox's own values need no decoding. */
export function readCookie(headers: IncomingHttpHeaders, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

export interface CookieOptions {
  /** Seconds; 0 deletes it, absent = until the browser closes. */
  maxAge?: number
  secure: boolean
  sameSite: 'Lax' | 'Strict'
  path?: string
}

/** A `Set-Cookie` value no script can read (RFC 6265 §4.1). */
export function formatCookie(name: string, value: string, options: CookieOptions): string {
  return [
    `${name}=${value}`,
    `Path=${options.path ?? '/'}`,
    'HttpOnly',
    `SameSite=${options.sameSite}`,
    ...(options.maxAge === undefined ? [] : [`Max-Age=${options.maxAge}`]),
    ...(options.secure ? ['Secure'] : []),
  ].join('; ')
}
