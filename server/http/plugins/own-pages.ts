import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackHost } from '../../core/loopback.ts'
import type { Settings } from '../../core/settings.ts'

/** Checks whether a request has none of the headers by which browsers say what page sent it. */
export function isFromProgram(headers: IncomingHttpHeaders): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined
}

/** Settings that identify the sandbox's own pages. */
export type OwnPageSettings = Pick<Settings, 'baseUrl' | 'port' | 'interceptedOrigins'>

/**
 * Checks whether a request comes from a page of the sandbox, or from no page at all. A page of the sandbox has the origin that the
 * request addresses, or that of the base URL where a proxy in front sends another `Host`, or where that proxy replaces `Origin`,
 * the origin that the sandbox listens on. `Sec-Fetch-Site` decides where a browser sends no `Origin`, or `null` in its place.
 */
export function isOwnPage(
  { baseUrl, port, interceptedOrigins }: OwnPageSettings,
  headers: IncomingHttpHeaders,
): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  if (origin === 'null') return site === 'same-origin'
  if (origin === `http://${host}` || origin === `https://${host}`) return true
  // The origin of an intercepted hub is not the sandbox's own: that hub has pages, too.
  if (interceptedOrigins !== undefined) return false
  return origin === baseUrl || (isForwarded(baseUrl) && isListeningOrigin(origin, port))
}

/**
 * Checks whether browsers reach the sandbox through a port forwarder on another machine, which may replace `Origin` by the
 * loopback origin that it forwards to. It then does so for foreign pages as well: those have another `Sec-Fetch-Site`, or no
 * cookie (`SameSite`), and the control API requires a token under such a base URL.
 */
function isForwarded(baseUrl: string): boolean {
  return !isLoopbackHost(new URL(baseUrl).hostname)
}

/** Names that forwarders call this machine. */
const ownNames = ['localhost', '127.0.0.1', '[::1]']

function isListeningOrigin(origin: string, port: number): boolean {
  return ['http', 'https'].some((scheme) =>
    ownNames.some((name) => new URL(`${scheme}://${name}:${port}`).origin === origin),
  )
}
