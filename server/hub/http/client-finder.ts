import type { IncomingHttpHeaders } from 'node:http'
import type { Clients, FindClient } from '../oauth/client-authentication.ts'
import { requesterOf } from '../../web/plugins/fetch-metadata.ts'

/**
 * Chooses how the client of a request is found: only a navigation or a program makes the sandbox fetch a metadata document.
 * Otherwise an image of any page could make it call any loopback URL.
 */
export function clientFinderFor(
  { headers }: { headers: IncomingHttpHeaders },
  { findKnown, findOrFetch }: Clients,
): FindClient {
  const requester = requesterOf(headers)
  return requester === 'program' || requester === 'navigation' ? findOrFetch : findKnown
}
