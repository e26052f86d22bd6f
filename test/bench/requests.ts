import type { Child } from './children.ts'
import type { Load } from './load.ts'
import type { FixedRequest } from './sandbox.ts'

/** Load of one request, repeated. */
export const same = (request: FixedRequest, status = 200): Load => ({
  scenario: 'same',
  input: { request, status },
})

/** Sends a request. @returns its response, parsed */
export async function jsonOf(server: Child, request: FixedRequest): Promise<unknown> {
  const { method = 'GET', path, headers = [], form, json } = request
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...Object.fromEntries(headers.map((line) => line.split(': ') as [string, string])),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Requests a page. @returns its HTML */
export async function textOf(
  { url }: Child,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.text()
}
