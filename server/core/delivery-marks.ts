import type { IncomingHttpHeaders } from 'node:http'

/** Header that every delivery of a webhook has. */
export const deliveryIdHeader = 'Webhook-Id'

/** What a temporary link adds to the requests that it forwards (RFC 9110 §7.6.3). */
export const linkVia = '1.1 hub-sandbox-link'

/** Whether a sandbox sent a request by itself: a delivery, or what a link forwards. */
export function isSentBySandbox(headers: IncomingHttpHeaders): boolean {
  return headers['webhook-id'] !== undefined || headers.via?.includes(linkVia) === true
}
