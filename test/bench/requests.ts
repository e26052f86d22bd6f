import type { Child } from './children.ts'
import type { FixedRequest } from './sandbox.ts'

/** @returns the JSON that a request is answered with */
export async function answerOf(server: Child, request: FixedRequest): Promise<unknown> {
  const { method = 'GET', path, headers = [], form } = request
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: Object.fromEntries(headers.map((line) => line.split(': ') as [string, string])),
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** @returns what stands at an address, such as a page */
export async function textOf(
  { url }: Child,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const answer = await fetch(`${url}${path}`, { headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.text()
}
