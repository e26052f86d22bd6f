// Target of a request as received (RFC 9112 §3.2.1), split into path and query.

/** Path without the query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

/** Query; empty if there is none. */
export function queryPartOf(target: string): URLSearchParams {
  return new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '')
}

/**
 * Returns the absolute URL of a target. A target is a path, however many slashes it starts with; `new URL` alone would
 * read the word after two slashes as a host and throw for an invalid one, which any client can send.
 * @param root scheme and host of the server, without a trailing slash
 * @returns undefined for an invalid URL
 */
export function addressOf(target: string, root: string): URL | undefined {
  const address = target.startsWith('/') ? root + target : target
  return URL.canParse(address, root) ? new URL(address, root) : undefined
}
