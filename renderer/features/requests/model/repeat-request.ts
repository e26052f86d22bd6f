import type { RequestDetail } from '../../../../server/contract/control-requests.ts'
import { shellQuote, shellWord } from '../../../lib/shell-quote.ts'

export type RepeatLanguage = 'curl' | 'fetch' | 'httpie'

/** Headers that the hub reads; clients create the others themselves. */
const copiedHeaders = new Set(['accept', 'authorization', 'content-type', 'cookie', 'origin'])

interface Repeated {
  method: string
  url: string
  headers: readonly (readonly [string, string])[]
  body: string | undefined
}

const renderers: Readonly<Record<RepeatLanguage, (request: Repeated) => string>> = {
  curl: ({ method, url, headers, body }) =>
    [
      // Brackets and braces of the URL are not patterns for curl.
      `curl --globoff --include --request ${method} ${shellQuote(url)}`,
      ...headers.map(([name, value]) => `--header ${shellQuote(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`--data-raw ${shellQuote(body)}`]),
    ].join(' \\\n  '),
  fetch: ({ method, url, headers, body }) => {
    const options = {
      method,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      ...(body !== undefined && { body }),
    }
    return [
      `const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(options, null, 2)})`,
      'console.log(response.status, await response.text())',
    ].join('\n')
  },
  httpie: ({ method, url, headers, body }) =>
    [
      `http --ignore-stdin ${method} ${shellQuote(url)}`,
      ...headers.map(([name, value]) => shellWord(`${name}:${value}`)),
      ...(body === undefined ? [] : [`--raw ${shellQuote(body)}`]),
    ].join(' \\\n  '),
}

/**
 * Renders a request as a command or as code. Masked secrets stay masked.
 * @param origin origin of the sandbox
 */
export function repeatRequest(
  language: RepeatLanguage,
  { method, path, request }: RequestDetail,
  origin: string,
): string {
  const headers = request.headers.filter(([name]) => copiedHeaders.has(name.toLowerCase()))
  // A target may be a whole URL (RFC 9112 §3.2.2).
  const url = path.startsWith('/') ? `${origin}${path}` : path
  return renderers[language]({ method, url, headers, body: request.body })
}
