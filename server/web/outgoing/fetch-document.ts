import { omitUndefined } from '../../core/omit-undefined.ts'
import type { IncomingMessage } from 'node:http'
import { type FetchedDocument, mostDocumentBytes } from './fetched-document.ts'
import { classifyNetworkError } from './network-errors.ts'
import { BlockedTargetError, type TargetPolicy } from './target-policy.ts'
import { openExchange } from './open-exchange.ts'

const defaultDeadlineMs = 5000
const inFixtures = 'add the document to clientMetadataDocuments in the fixtures'

export interface FetchLimits {
  /** Total time. */
  deadlineMs?: number
  maxBytes?: number
  /** Alternative to an unreachable site, for the message. */
  instead?: string
}

/**
 * Fetches a small public document without cookies, credentials, proxy or redirects, and only from the address that was
 * checked.
 * @throws {Error} whose message completes "it could not be fetched: …"
 */
export async function fetchDocument(
  url: URL,
  policy: TargetPolicy,
  {
    deadlineMs = defaultDeadlineMs,
    maxBytes = mostDocumentBytes,
    instead = inFixtures,
  }: FetchLimits = {},
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
        if (size > maxBytes)
          exchange.abort(new Error(`the document is larger than ${maxBytes / 1024} KB`))
        chunks.push(chunk)
        return true
      },
    },
  )
  try {
    await exchange.done
  } catch (error) {
    throw new Error(reasonOf(error, policy, instead), { cause: error })
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
 * Returns for how many seconds a shared cache may reuse a response.
 * @returns `undefined` when the header does not specify it
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

/** Describes the error and, for an unreachable site, an alternative. */
function reasonOf(error: unknown, { allowNetwork }: TargetPolicy, instead: string): string {
  const { class: kind, message } = classifyNetworkError(error)
  // The message of this error already names the flag.
  if (error instanceof BlockedTargetError && error.needsNetwork) return `${message}, or ${instead}`
  if (kind !== 'dns_error') return message
  return `${message}; ${instead}${allowNetwork ? '' : ', or start with --allow-network if the site is public'}`
}
