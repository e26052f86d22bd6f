import type { IncomingHttpHeaders } from 'node:http'
import type { Clients, FindClient } from '../../oauth/client-authentication.ts'

/**
 * Origin of a request, as far as browsers report it:
 * - `program`: no browser, since each of them names a destination
 * - `navigation`: a window of the user's goes there
 * - `frame`: a frame goes there, which its page may hide
 * - `subresource`: a page asks behind its user's back, by an image, a script, `fetch` or a prefetch
 */
export type Requester = 'program' | 'navigation' | 'frame' | 'subresource'

/** @see W3C Fetch Metadata Request Headers §2.1, §2.5 (`Sec-Purpose`) */
export function requesterOf(headers: IncomingHttpHeaders): Requester {
  // A prefetch claims the destination of the navigation that it comes before.
  if (headers['sec-purpose'] !== undefined) return 'subresource'
  switch (headers['sec-fetch-dest']) {
    case undefined:
      return 'program'
    case 'document':
      return 'navigation'
    case 'iframe':
    case 'frame':
      return 'frame'
    default:
      return 'subresource'
  }
}

/**
 * How clients are looked up for a request: only who acts for the user makes the sandbox fetch a metadata document.
 * A page must not, or it could have any loopback address called by an image.
 */
export function clientFinderFor(
  { headers }: { headers: IncomingHttpHeaders },
  { findKnown, findOrFetch }: Clients,
): FindClient {
  const requester = requesterOf(headers)
  return requester === 'program' || requester === 'navigation' ? findOrFetch : findKnown
}
