import type { IncomingMessage } from 'node:http'
import { classifyNetworkError } from './network-errors.ts'
import { openExchange } from './open-exchange.ts'
import { resolveHost } from './resolve-host.ts'

export interface BytesRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** A longer body is an error. */
  readonly mostBytes: number
  /** Total time. */
  readonly deadlineMs: number
}

export interface ReceivedBytes {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Failure before the response was complete. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  /** Whether the connection was reset: the same request may succeed if it is sent again. */
  readonly isBreak: boolean

  constructor(message: string, options: ErrorOptions & { isBreak: boolean }) {
    super(message, options)
    this.isBreak = options.isBreak
  }
}

/**
 * Fetches a response of any site that the user named, without cookies, proxy or redirects.
 * @throws {FetchError} whose message completes "URL could not be read: …"
 */
export async function fetchBytes(request: BytesRequest): Promise<ReceivedBytes> {
  const { url, headers, mostBytes, deadlineMs } = request
  const chunks: Buffer[] = []
  let size = 0
  let head: IncomingMessage | undefined
  const exchange = openExchange(
    { url, method: 'GET', headers: { ...headers }, deadlineMs },
    { allowNetwork: true, ownPorts: () => [], resolve: resolveHost },
    {
      onHead: (response) => {
        head = response
      },
      onData: (chunk) => {
        size += chunk.length
        if (size > mostBytes) {
          exchange.abort(new Error(`the response is larger than ${mostBytes} bytes`))
        }
        chunks.push(chunk)
        return true
      },
    },
  )
  try {
    await exchange.done
  } catch (error) {
    const { class: kind, message } = classifyNetworkError(error)
    throw new FetchError(message, { isBreak: kind === 'connection_reset', cause: error })
  }
  return {
    status: head?.statusCode ?? 0,
    headers: head?.headers ?? {},
    body: Buffer.concat(chunks),
  }
}
