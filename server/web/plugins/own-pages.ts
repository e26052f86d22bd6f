import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackHost } from '../../core/loopback.ts'
import type { Settings } from '../../core/settings.ts'

/** Checks whether a request has no header by which browsers identify the page that sent it. */
export function isFromProgram(headers: IncomingHttpHeaders): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined
}

/** Settings that identify the sandbox's own pages. */
export type OwnPageSettings = Pick<Settings, 'baseUrl' | 'port' | 'interceptedOrigins'>

/**
 * Checks whether a request comes from a page of the sandbox, or from no page. A page of the sandbox has the origin that the
 * request is sent to; behind a proxy that changes `Host`, the origin of the base URL; behind one that replaces `Origin`, the
 * origin that the sandbox listens on. Without an `Origin`, or with `null`, `Sec-Fetch-Site` decides.
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
  // The origin of the intercepted Hub is not the sandbox's own: the Hub has pages, too.
  if (interceptedOrigins !== undefined) return false
  return origin === baseUrl || (isForwarded(baseUrl) && isListeningOrigin(origin, port))
}

/**
 * Checks whether browsers reach the sandbox through a port forwarder on another machine, which may replace `Origin` by the
 * loopback origin that it forwards to. It does so for foreign pages, too: they have another `Sec-Fetch-Site` or no cookie
 * (`SameSite`), and the control API requires a token under such a base URL.
 */
function isForwarded(baseUrl: string): boolean {
  return !isLoopbackHost(new URL(baseUrl).hostname)
}

/** Names that forwarders use for this machine. */
const ownNames = ['localhost', '127.0.0.1', '[::1]']

function isListeningOrigin(origin: string, port: number): boolean {
  return ['http', 'https'].some((scheme) =>
    ownNames.some((name) => new URL(`${scheme}://${name}:${port}`).origin === origin),
  )
}
