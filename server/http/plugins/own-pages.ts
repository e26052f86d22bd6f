import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../../core/settings.ts'

/** Checks whether a request has none of the headers by which browsers say what page sent it. */
export function isFromProgram(headers: IncomingHttpHeaders): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined
}

/** Settings that identify the sandbox's own pages. */
export type OwnPageSettings = Pick<Settings, 'baseUrl' | 'interceptedOrigins'>

/**
 * Checks whether a request comes from a page of the sandbox, or from no page at all. A page of the sandbox has the origin that the
 * request addresses, or that of the base URL where a proxy in front sends another `Host`. `Sec-Fetch-Site` decides where a
 * browser sends no `Origin`, or `null` in its place.
 */
export function isOwnPage(
  { baseUrl, interceptedOrigins }: OwnPageSettings,
  headers: IncomingHttpHeaders,
): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  if (origin === 'null') return site === 'same-origin'
  if (origin === `http://${host}` || origin === `https://${host}`) return true
  // The origin of an intercepted hub is not the sandbox's own: that hub has pages, too.
  return origin === baseUrl && interceptedOrigins === undefined
}
