import type { ControlArguments, ControlKey } from './control-call.ts'

/** A request to the control API. */
export interface ControlRequest {
  method: string
  /** Below `/_sandbox/api/`, with the query. */
  path: string
  headers: Readonly<Record<string, string>>
  /** Body, sent as JSON; absent = none. */
  body?: unknown
}

/** Input of any endpoint. */
export interface AnyInput {
  params?: Readonly<Record<string, string>>
  query?: Texts
  headers?: Texts
  body?: unknown
}

export type Texts = Readonly<Record<string, string | number | boolean | undefined>>

/** Builds the request for a call from its key, without loading the table. */
export function controlRequest<K extends ControlKey>(
  key: K,
  ...[input]: ControlArguments<K>
): ControlRequest {
  return buildControlRequest(key, input)
}

/** Same as {@link controlRequest}, for input that is not checked against the table. */
export function buildControlRequest(
  key: ControlKey,
  { params, query, headers, body }: AnyInput = {},
): ControlRequest {
  const [method = '', address = ''] = key.split(' ')
  const path = fillPath(address, params)
  const search = textsOf(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    headers: Object.fromEntries(textsOf(headers)),
    ...(body === undefined ? {} : { body }),
  }
}

/** @param path such as `apps/:clientId`; a final `*` matches the rest */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  const values = new Map(Object.entries(params))
  return path.replaceAll(/:(\w+)|\*$/g, (_place, name: string | undefined) =>
    encodeURIComponent(values.get(name ?? '*') ?? ''),
  )
}

function textsOf(texts: Texts = {}): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
}
