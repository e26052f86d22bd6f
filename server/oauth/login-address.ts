import { encodeText } from '../core/encode-text.ts'
import { Refusal } from '../core/refusal.ts'

const endpoint = '/oauth/authorize?'
const loginWithRequest = '/login?request&'

/** A longer one would not fit into the headers that carry it from page to page: those of a request have 16 KiB. */
const longestRequest = 12_000

/**
 * @param query of an authorization request, as it came
 * @throws {Refusal} `invalid_request` for one that could not be carried to the login page and back
 */
export function checkRequestLength(query: string): void {
  if (query.length <= longestRequest) return
  throw new Refusal(
    'invalid_request',
    `The request is too long: ${query.length} characters of at most ${longestRequest}.`,
  )
}

/**
 * Address of the login page that leads back to a path. A request that would be too long if it were encoded once more
 * follows as it came.
 */
export function loginAddress(next: string): string {
  const address = `/login?next=${encodeText(next)}`
  return address.length > longestRequest && next.startsWith(endpoint)
    ? `${loginWithRequest}${next.slice(endpoint.length)}`
    : address
}

/** The request that follows in an address of the login page, as a path; `undefined` where none does. */
export function requestOfLogin(url: string): string | undefined {
  return url.startsWith(loginWithRequest)
    ? `${endpoint}${url.slice(loginWithRequest.length)}`
    : undefined
}
