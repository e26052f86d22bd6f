import type { IncomingMessage } from 'node:http'

/**
 * Path and query of a request, also of one whose target is a whole URL, as proxies send it: then the host is the one
 * of the target and not of the header, and what looks at paths must not have to know of it.
 * @see RFC 9112 §3.2.2
 */
export function originForm(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [, host, path = ''] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? []
  if (host === undefined) return url
  request.headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}
