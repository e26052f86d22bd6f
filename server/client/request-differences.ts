import { isRegExp } from 'node:util/types'
import type { RequestDetail, RequestItem } from '../contract/control-types.ts'
import { fitsPattern } from '../contract/fits-pattern.ts'
import { pathOf, queryPartOf } from '../core/request-target.ts'
import { refuseUnknownKeys, show } from '../core/arguments.ts'
import type { RequestMatch } from './sandbox-api.ts'

const matchKeys = {
  method: true,
  path: true,
  status: true,
  clientId: true,
  user: true,
  grantType: true,
  error: true,
  parameters: true,
  headers: true,
} as const satisfies Record<keyof RequestMatch, true>

/**
 * Refuses unknown keys and values: ignoring them would match any request.
 * @throws {TypeError}
 */
export function checkMatch(match: unknown): void {
  if (typeof match === 'function') return
  if (typeof match !== 'object' || match === null) {
    throw new TypeError(
      `expectRequest() takes an object such as { path: '/oauth/token' } or a function, not ${show(match)}`,
    )
  }
  refuseUnknownKeys('expectRequest()', match, Object.keys(matchKeys))
  const { status, parameters, headers, ...texts } = match as RequestMatch
  for (const [key, value] of Object.entries(texts)) {
    if (value !== undefined && typeof value !== 'string') refuseValue(key, 'a string', value)
  }
  if (status !== undefined && typeof status !== 'number' && !/^[1-5]xx$/.test(status)) {
    refuseValue('status', 'a number, or a class such as "4xx"', status)
  }
  for (const [key, value] of Object.entries({ ...parameters, ...headers })) {
    // Test runners have realms, each with its own RegExp.
    if (value === undefined || typeof value === 'string' || isRegExp(value)) continue
    refuseValue(key, 'a string or a pattern', value)
  }
}

function refuseValue(key: string, wanted: string, value: unknown): never {
  throw new TypeError(`expectRequest() matches ${key} by ${wanted}, not ${show(value)}`)
}

/** Describes the differences between a request and the expectation that its list item shows. */
export function differencesInHead(request: RequestItem, match: RequestMatch): string[] {
  const { method, path, status, clientId, user, grantType, error } = match
  const asked = pathOf(request.path)
  const differences = [
    differs('method', request.method, method?.toUpperCase()),
    path === undefined || fitsPattern(path, asked) ? [] : [`path is ${asked}, not ${path}`],
    status === undefined || fitsStatus(request.status, status)
      ? []
      : [`status is ${request.status}, not ${status}`],
    differs('clientId', request.app?.clientId, clientId),
    differs('user', request.user?.username, user),
    differs('grantType', request.grantType, grantType),
    differs('error', request.error, error),
  ]
  return differences.flat()
}

/** Describes the differences that only the whole request shows. */
export function differencesInDetail(
  { path, request: { headers, body } }: RequestDetail,
  match: RequestMatch,
): string[] {
  const sent = parametersOf(path, body)
  const named = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return [
    ...Object.entries(match.parameters ?? {}).flatMap(([name, wanted]) =>
      differs(name, sent.get(name), wanted),
    ),
    ...Object.entries(match.headers ?? {}).flatMap(([name, wanted]) =>
      differs(`header ${name}`, named.get(name.toLowerCase()), wanted),
    ),
  ]
}

function differs(
  name: string,
  actual: string | undefined,
  wanted: string | RegExp | undefined,
): string[] {
  if (wanted === undefined) return []
  const fits =
    typeof wanted === 'string'
      ? actual === wanted
      : actual !== undefined && actual.search(wanted) >= 0
  return fits ? [] : [`${name} is ${actual ?? 'absent'}, not ${String(wanted)}`]
}

function fitsStatus(status: number, wanted: number | string): boolean {
  return typeof wanted === 'number'
    ? status === wanted
    : wanted.endsWith('xx') && Math.floor(status / 100) === Number(wanted[0])
}

function parametersOf(path: string, body: string | undefined): Map<string, string> {
  return new Map([...queryPartOf(path), ...parametersOfBody(body ?? '')])
}

function parametersOfBody(body: string): Iterable<[string, string]> {
  if (!body.startsWith('{')) return new URLSearchParams(body)
  try {
    const values = JSON.parse(body) as Record<string, unknown>
    return Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
  } catch {
    // Truncated or invalid JSON.
    return []
  }
}
