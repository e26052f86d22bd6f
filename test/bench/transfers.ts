import { request } from 'node:http'
import type { Child } from './children.ts'
import { userToken } from './fixtures.ts'
import { dataset } from './repos.ts'
import type { Result } from './row.ts'

/** Memory that a transfer took, compared with the limit. */
export function memoryResult(what: string, bytes: number, most: number): Result {
  const mebibytes = (count: number) => `+${Math.round(count / 2 ** 20)} MiB`
  return {
    what,
    ours: mebibytes(bytes),
    baseline: mebibytes(most),
    ratio: bytes / most,
    goal: { atMost: 1 },
  }
}

/** Requests the URL for a transfer (Git LFS batch API). */
export async function lfsUrl(
  { url }: Child,
  operation: 'upload' | 'download',
  oid: string,
  { length }: Buffer,
): Promise<string> {
  const response = await fetch(`${url}${dataset.git}/info/lfs/objects/batch`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${userToken}`,
      'content-type': 'application/vnd.git-lfs+json',
    },
    body: JSON.stringify({ operation, objects: [{ oid, size: length }] }),
  })
  const { objects } = (await response.json()) as {
    objects: { actions?: Record<string, { href: string }> }[]
  }
  const href = objects[0]?.actions?.[operation]?.href
  if (href === undefined) throw new Error(`no URL for the ${operation}: ${response.status}`)
  return href
}

/** Sends a body, or reads one and discards it. */
export function send(
  method: string,
  url: string,
  { body, headers = {} }: { body?: Buffer; headers?: Record<string, string> } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': body?.length ?? 0 }
    const sending = request(url, { method, headers: { ...headers, ...length } })
    sending.once('error', reject)
    sending.once('response', (response) => {
      response.once('error', reject).once('end', resolve).resume()
      const { statusCode = 0 } = response
      if (statusCode >= 300) reject(new Error(`${method} ${url}: ${statusCode}`))
    })
    sending.end(body)
  })
}
