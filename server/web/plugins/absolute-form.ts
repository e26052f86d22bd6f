import type { IncomingMessage } from 'node:http'

/**
 * Returns the path and query of a request. If the target is an absolute URL, as proxies send it, its host replaces the
 * `Host` header, so that other code sees origin form only.
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
