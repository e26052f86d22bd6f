// What a request asks for, as it came (RFC 9112 §3.2.1). No host is needed to tell its two parts apart.

/** Without the query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

/** Empty where there is none. */
export function queryPartOf(target: string): URLSearchParams {
  return new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '')
}

/**
 * The whole address of what is asked for. A target is a path however many slashes it begins with, where `new URL` by
 * itself would take the word behind two of them for a host, and throw at one that cannot be: anybody can send that.
 * @param root scheme and host of the server, without a slash at its end
 * @returns undefined for what is no address
 */
export function addressOf(target: string, root: string): URL | undefined {
  const address = target.startsWith('/') ? root + target : target
  return URL.canParse(address, root) ? new URL(address, root) : undefined
}
