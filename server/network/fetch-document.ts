import { omitUndefined } from '../core/omit-undefined.ts'
import type { IncomingMessage } from 'node:http'
import type { FetchedDocument } from '../oauth/metadata-document.ts'
import { classifyNetworkError } from './network-errors.ts'
import { BlockedTargetError, type TargetPolicy } from './target.ts'
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
  try {
    await exchange.done
  } catch (error) {
    throw new Error(reasonOf(error, policy), { cause: error })
  }
  const headers = head?.headers ?? {}
  const maxAgeSeconds = freshnessOf(headers['cache-control'])
  return {
    status: head?.statusCode ?? 0,
    contentType: headers['content-type'] ?? '',
    body: Buffer.concat(chunks).toString('utf8'),
    ...omitUndefined({ maxAgeSeconds }),
  }
}

/**
 * How many seconds an answer may be used again by a cache that serves many.
 * @returns `undefined` when the header does not say
 * @see RFC 9111 §4.2.1, §5.2.2
 */
export function freshnessOf(cacheControl = ''): number | undefined {
  const directives = new Map<string, string>()
  for (const [, name = '', quoted, plain] of cacheControl.matchAll(
    /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,]*)))?/g,
  )) {
    const key = name.toLowerCase()
    if (!directives.has(key)) directives.set(key, quoted ?? plain ?? '')
  }
  if (directives.has('no-store') || directives.has('no-cache')) return 0
  const seconds = directives.get('s-maxage') ?? directives.get('max-age')
  if (seconds === undefined) return undefined
  return /^\d+$/.test(seconds) ? Number(seconds) : 0
}

/** What went wrong, and for a site that cannot be reached from here, how to do without. */
function reasonOf(error: unknown, { allowNetwork }: TargetPolicy): string {
  const { class: kind, message } = classifyNetworkError(error)
  const instead = 'put the document into the fixtures, under clientMetadataDocuments'
  // Its message names the flag already.
  if (error instanceof BlockedTargetError && error.needsNetwork) return `${message}, or ${instead}`
  if (kind !== 'dns_error') return message
  return `${message}; ${instead}${allowNetwork ? '' : ', or start with --allow-network for a public site'}`
}
