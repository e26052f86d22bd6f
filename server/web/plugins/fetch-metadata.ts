import type { IncomingHttpHeaders } from 'node:http'

/**
 * Origin of a request, as far as browsers report it:
 * - `program`: no browser, since each of them names a destination
 * - `navigation`: a window of the user
 * - `frame`: a frame, which its page may hide
 * - `subresource`: an image, a script, `fetch` or a prefetch of a page, which its user does not see
 */
export type Requester = 'program' | 'navigation' | 'frame' | 'subresource'

/** @see W3C Fetch Metadata Request Headers §2.1, §2.5 (`Sec-Purpose`) */
export function requesterOf(headers: IncomingHttpHeaders): Requester {
  // A prefetch has the destination of the navigation that it prepares.
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
