import { shellQuote, shellWord } from '../lib/shell-quote.ts'

export type RepeatLanguage = 'curl' | 'fetch' | 'httpie'

/** Request as it is sent again. */
export interface Repeated {
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
  fetch: (request) => {
    const { method, url, headers, body } = withoutUserinfo(request)
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

/** Moves user and password of the URL into a header: fetch refuses URLs with them. */
function withoutUserinfo(request: Repeated): Repeated {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  if (url === undefined || (url.username === '' && url.password === '')) return request
  const userinfo = `${decoded(url.username)}:${decoded(url.password)}`
  const bytes = new TextEncoder().encode(userinfo)
  const header = ['Authorization', `Basic ${btoa(String.fromCodePoint(...bytes))}`] as const
  url.username = ''
  url.password = ''
  const hasOwn = request.headers.some(([name]) => name.toLowerCase() === 'authorization')
  return {
    ...request,
    url: url.href,
    headers: hasOwn ? request.headers : [...request.headers, header],
  }
}

/** Decodes percent signs; unlike `decodeURIComponent`, invalid ones are kept. */
function decoded(text: string): string {
  return new URLSearchParams(`t=${text.replaceAll('+', '%2B')}`).get('t') ?? ''
}

/** Renders a request as a command or as code. */
export function repeatText(language: RepeatLanguage, request: Repeated): string {
  return renderers[language](request)
}

/** Headers that the Hub reads; clients create the others themselves. */
const readByHub = new Set(['accept', 'authorization', 'content-type', 'cookie', 'origin'])

/** Selects the headers of a recorded request that matter when it is sent to the Hub again. */
export function headersForHub<Header extends readonly [string, string]>(
  headers: readonly Header[],
): Header[] {
  return headers.filter(([name]) => readByHub.has(name.toLowerCase()))
}

/** Examples for a code pane. */
export function repeatExamples(request: Repeated) {
  return (
    [
      ['curl', 'curl'],
      ['fetch', 'fetch'],
      ['httpie', 'HTTPie'],
    ] as const
  ).map(([language, label]) => ({ label, render: () => repeatText(language, request) }))
}
