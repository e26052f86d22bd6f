// The two parts of what a request asks for, as it came (RFC 9112 §3.2.1): no host is needed to tell them apart.

/** Without the query. */
export function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? ''
}

/** Empty where there is none. */
export function queryPartOf(target: string): URLSearchParams {
  return new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '')
}
