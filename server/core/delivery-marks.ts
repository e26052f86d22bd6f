import type { IncomingHttpHeaders } from 'node:http'

/** Header of every webhook delivery. */
export const deliveryIdHeader = 'Webhook-Id'

/** Header that a temporary link adds to forwarded requests (RFC 9110 §7.6.3). */
export const linkVia = '1.1 hub-sandbox-link'

/** Checks whether a sandbox sent the request: a delivery, or a request forwarded by a link. */
export function isSentBySandbox(headers: IncomingHttpHeaders): boolean {
  return headers['webhook-id'] !== undefined || headers.via?.includes(linkVia) === true
}
