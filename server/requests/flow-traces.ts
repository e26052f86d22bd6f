import type { RequestRecord } from './request-log.ts'
import { bodyText } from './body-text.ts'

/** What ties the requests of a sign-in together, as `kind:value`. */
export interface Traces {
  /** Held by the request: it belongs to whatever gave them out. */
  brought: string[]
  /** Given out by the answer. */
  given: string[]
}

/** Parameters and the kind of trace their value is. */
const parameterTraces = {
  code: 'code',
  device_code: 'device',
  user_code: 'user-code',
  refresh_token: 'refresh',
} as const

const answerTraces = {
  access_token: 'token',
  refresh_token: 'refresh',
  device_code: 'device',
  user_code: 'user-code',
} as const

export function readTraces(record: RequestRecord): Traces {
  const { url, request, response } = record
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const brought = [query, body].flatMap((parameters) => parameterTracesOf(parameters))
  brought.push(...authorizationTraces(url, query))
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer !== undefined) brought.push(`token:${bearer}`)

  const given = [...redirectTraces(response.headers['location']), ...jsonTraces(response.body)]
  return { brought, given }
}

function parameterTracesOf(parameters: URLSearchParams): string[] {
  return Object.entries(parameterTraces).flatMap(([name, kind]) => {
    const value = parameters.get(name)
    return value === null ? [] : [`${kind}:${normalize(kind, value)}`]
  })
}

/** An authorization request has no id: its client, state and challenge together are as good as one. */
function authorizationTraces(url: string, query: URLSearchParams): string[] {
  const isLogin = url.startsWith('/login?')
  const next = isLogin ? (query.get('next') ?? '') : url
  if (!next.startsWith('/oauth/authorize?')) return []
  const request = new URLSearchParams(next.slice(next.indexOf('?')))
  const parts = ['client_id', 'state', 'code_challenge', 'nonce'].map((name) => request.get(name))
  return [`request:${JSON.stringify(parts)}`]
}

function redirectTraces(location: unknown): string[] {
  if (typeof location !== 'string' || !URL.canParse(location, 'http://localhost')) return []
  const code = new URL(location, 'http://localhost').searchParams.get('code')
  return code === null ? [] : [`code:${code}`]
}

function jsonTraces(body: unknown): string[] {
  const text = bodyText(body)
  if (text?.startsWith('{') !== true) return []
  return Object.entries(answerTraces).flatMap(([name, kind]) => {
    // By name rather than by parsing: a truncated answer tells as much.
    const value = new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1]
    return value === undefined ? [] : [`${kind}:${normalize(kind, value)}`]
  })
}

/** User codes are typed by people. */
function normalize(kind: string, value: string): string {
  return kind === 'user-code' ? value.toUpperCase().replaceAll(/[^A-Z0-9]/g, '') : value
}
