import { encodeText } from '../../core/encode-text.ts'
import { Refusal } from '../../core/refusal.ts'

const endpoint = '/oauth/authorize?'
const loginWithRequest = '/login?request&'

/** Longest request: it has to fit into the headers of a page request (16 KiB). */
const longestRequest = 12_000

/**
 * Checks that an authorization request is short enough for the URL of the login page.
 * @param query query of the request as sent
 * @throws {Refusal} `invalid_request` for a longer one
 */
export function checkRequestLength(query: string): void {
  if (query.length <= longestRequest) return
  throw new Refusal(
    'invalid_request',
    `The request is too long: ${query.length} characters; the limit is ${longestRequest}.`,
  )
}

/**
 * Returns the URL of the login page that returns to a path afterwards. A request that would be too long when encoded
 * again is appended unencoded.
 */
export function loginAddress(next: string): string {
  const address = `/login?next=${encodeText(next)}`
  return address.length > longestRequest && next.startsWith(endpoint)
    ? `${loginWithRequest}${next.slice(endpoint.length)}`
    : address
}

/** Returns the path of the request appended to a URL of the login page; `undefined` without one. */
export function requestOfLogin(url: string): string | undefined {
  return url.startsWith(loginWithRequest)
    ? `${endpoint}${url.slice(loginWithRequest.length)}`
    : undefined
}
