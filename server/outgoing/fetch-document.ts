import type { IncomingMessage } from 'node:http'
import type { FetchedDocument } from '../oauth/metadata-document.ts'
import type { TargetPolicy } from '../webhooks/target.ts'
import { openExchange } from './exchange.ts'

const maxBytes = 5 * 1024
const defaultDeadlineMs = 5000

/**
 * Fetches a small public document: no cookies, no credentials, no proxy, no redirect, to the very address that was
 * checked.
 * @param deadlineMs for all of it, whatever the other side does
 * @throws {Error} whose message completes "it could not be fetched: …"
 */
export async function fetchDocument(
  url: URL,
  policy: TargetPolicy,
  deadlineMs = defaultDeadlineMs,
): Promise<FetchedDocument> {
  const chunks: Buffer[] = []
  let size = 0
  let head: IncomingMessage | undefined
  const exchange = openExchange(
    { url, method: 'GET', headers: { Accept: 'application/json' }, deadlineMs },
    policy,
    {
      onHead: (response) => {
        head = response
      },
      onData: (chunk) => {
        size += chunk.length
        if (size > maxBytes) exchange.abort(new Error(`it is larger than ${maxBytes / 1024} KB`))
        chunks.push(chunk)
        return true
      },
    },
  )
  await exchange.done
  const headers = head?.headers ?? {}
  const maxAge = /(?:^|[\s,])max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1]
  return {
    status: head?.statusCode ?? 0,
    contentType: headers['content-type'] ?? '',
    body: Buffer.concat(chunks).toString('utf8'),
    ...(maxAge === undefined ? {} : { maxAgeSeconds: Number(maxAge) }),
  }
}
