import type { IncomingMessage } from 'node:http'
import { openExchange } from './open-exchange.ts'
import { classifyNetworkError } from './network-errors.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { hostOf, type TargetPolicy } from './target-policy.ts'

const deadlineMs = 15_000
const mostBytes = 1024 * 1024

export interface VisitRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Ends the visit. */
  readonly signal?: AbortSignal
}

export interface VisitedPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** At most 1 MiB; the rest is not read. */
  readonly body: string
}

/**
 * Opens a page as a browser does, within the policy for webhook targets. Follows no redirects and keeps no cookies.
 * @throws {Error} whose message completes "it could not be opened: …"
 */
export async function visitPage(request: VisitRequest, policy: TargetPolicy): Promise<VisitedPage> {
  const chunks: Buffer[] = []
  let size = 0
  let head: IncomingMessage | undefined
  const exchange = openExchange(
    {
      url: request.url,
      method: 'GET',
      headers: { ...request.headers },
      deadlineMs,
      acceptSelfSigned: isLoopbackHost(hostOf(request.url)),
    },
    policy,
    {
      onHead: (response) => {
        head = response
      },
      onData: (chunk) => {
        chunks.push(chunk.subarray(0, mostBytes - size))
        size += chunk.length
        return size < mostBytes
      },
    },
  )
  const { signal } = request
  const stop = () => exchange.abort(new Error('the visit was stopped'))
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop)
  try {
    await exchange.done
  } catch (error) {
    throw new Error(classifyNetworkError(error).message, { cause: error })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  return {
    status: head?.statusCode ?? 0,
    headers: head?.headers ?? {},
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
