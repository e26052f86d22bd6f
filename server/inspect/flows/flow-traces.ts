import { queryPartOf } from '../../core/request-target.ts'
import { requestOfLogin } from '../../hub/oauth/login-address.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { bodyText } from '../log/body-text.ts'

/** Values that connect the requests of a sign-in, as `kind:value`. */
export interface Traces {
  /** Sent by the request, which belongs to the sign-in that returned them. */
  brought: string[]
  /** Returned by the response. */
  given: string[]
}

/** Parameters with the kind of trace of their value. */
const parameterTraces = {
  code: 'code',
  device_code: 'device',
  user_code: 'user-code',
  refresh_token: 'refresh',
  access_token: 'token',
} as const

const answerTraces = {
  access_token: 'token',
  refresh_token: 'refresh',
  device_code: 'device',
  user_code: 'user-code',
} as const

const answerPatterns = Object.entries(answerTraces).map(
  // Found by pattern rather than parsed, because the body may be truncated.
  ([name, kind]) => [kind, new RegExp(`"${name}":"([^"]+)"`)] as const,
)

/** Checks whether requests to this URL may start or continue a sign-in; all others only use its token. */
export function isSignInPath(url: string): boolean {
  return /^\/(?:oauth\/|login(?:\?|$))/.test(url)
}

/** @returns `undefined` for a request without traces, as most are */
export function readTraces(record: RequestRecord): Traces | undefined {
  const { url, request } = record
  if (isSignInPath(url)) return readAll(record)
  const trace = bearerTrace(request.headers.authorization)
  return trace === undefined ? undefined : { brought: [trace], given: [] }
}

function readAll({ url, request, response }: RequestRecord): Traces {
  const query = queryPartOf(url)
  const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const brought = [query, body].flatMap((parameters) => parameterTracesOf(parameters))
  const next = requestOfLogin(url) ?? query.get('next') ?? body.get('next') ?? ''
  brought.push(...requestTraces(url, next))
  const bearer = bearerTrace(request.headers.authorization)
  if (bearer !== undefined) brought.push(bearer)

  const given = [...redirectTraces(response.headers['location']), ...jsonTraces(response.body)]
  return { brought, given }
}

function parameterTracesOf(parameters: URLSearchParams): string[] {
  if (parameters.size === 0) return []
  return Object.entries(parameterTraces).flatMap(([name, kind]) => {
    const value = parameters.get(name)
    return value === null ? [] : [`${kind}:${normalize(kind, value)}`]
  })
}

/** Traces of an authorization request, or of the login page that continues with it. */
function requestTraces(url: string, next: string): string[] {
  const isLogin = url.startsWith('/login')
  const address = isLogin ? next : url
  if (!address.startsWith('/oauth/') || !address.includes('?')) return []
  const request = new URLSearchParams(address.slice(address.indexOf('?')))
  if (address.startsWith('/oauth/authorize?')) return [authorizationTrace(request)]
  return isLogin ? parameterTracesOf(request) : []
}

/** An authorization request has no id: client, state, challenge and nonce identify it. */
function authorizationTrace(request: URLSearchParams): string {
  const parts = ['client_id', 'state', 'code_challenge', 'nonce'].map((name) => request.get(name))
  return `request:${JSON.stringify(parts)}`
}

function bearerTrace(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  return token === undefined ? undefined : `token:${token}`
}

function redirectTraces(location: unknown): string[] {
  if (typeof location !== 'string' || !URL.canParse(location, 'http://localhost')) return []
  const code = new URL(location, 'http://localhost').searchParams.get('code')
  return code === null ? [] : [`code:${code}`]
}

function jsonTraces(body: unknown): string[] {
  const text = bodyText(body)
  if (text?.startsWith('{') !== true) return []
  return answerPatterns.flatMap(([kind, pattern]) => {
    const value = pattern.exec(text)?.[1]
    return value === undefined ? [] : [`${kind}:${normalize(kind, value)}`]
  })
}

/** Normalizes user codes, which people type. */
function normalize(kind: string, value: string): string {
  return kind === 'user-code' ? value.toUpperCase().replaceAll(/[^A-Z0-9]/g, '') : value
}
