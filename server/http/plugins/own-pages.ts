import type { IncomingHttpHeaders } from 'node:http'

/** Whether a request has none of the headers by which browsers say what page sent it. */
export function isFromProgram(headers: IncomingHttpHeaders): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined
}

/**
 * Whether a request comes from a page of the very origin it addresses, or from no page at all.
 * A check of `Origin` alone would pass what a browser sends without it; `Sec-Fetch-Site` covers that.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return false
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
