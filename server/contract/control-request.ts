import type { ControlArguments, ControlKey } from './control-call.ts'

/** A call of the control API, as it goes over the wire. */
export interface ControlRequest {
  method: string
  /** Below `/_sandbox/api/`, with the query. */
  path: string
  headers: Readonly<Record<string, string>>
  /** Goes out as JSON; absent = none. */
  body?: unknown
}

/** What the input of any endpoint is, whatever its own parts are. */
export interface AnyInput {
  params?: Readonly<Record<string, string>>
  query?: Texts
  headers?: Texts
  body?: unknown
}

export type Texts = Readonly<Record<string, string | number | boolean | undefined>>

/** What is sent for a call, by its key alone: the table need not be loaded for it. */
export function controlRequest<K extends ControlKey>(
  key: K,
  ...[input]: ControlArguments<K>
): ControlRequest {
  return buildControlRequest(key, input)
}

/** {@link controlRequest} for parts that are not held against the table. */
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

/** @param path such as `apps/:clientId`; a `*` at its end stands for all that follows */
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
