import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyConsumedError } from '../body.ts'
import type { ExchangeHandler } from '../exchange.ts'
import type { Log } from '../log.ts'

/**
 * A message whose body a framework may have read and left at `body`, parsed or not, and at `rawBody`
 * (functions of the clouds). Where it cuts a path off, the whole one is at `originalUrl`.
 */
type ReadMessage = IncomingMessage & { body?: unknown; rawBody?: unknown; originalUrl?: unknown }

/** Fits `http.createServer`, and whatever else hands on the message and the reply of node:http. */
export type NodeHandler = (message: IncomingMessage, reply: ServerResponse) => void

/** Handler that accepts the path below which the framework serves it. */
export type MountedHandler = (
  message: IncomingMessage,
  reply: ServerResponse,
  mountPath?: string,
) => void

/** Answers with what the exchange returns, bytes unchanged. */
export function nodeHandler(exchange: ExchangeHandler, log: Log): MountedHandler {
  return (message, reply, mountPath) => {
    answer(exchange, message, reply, mountPath).catch((error: unknown) => {
      log.error('A request to the webhook receiver failed.', error)
      reply.destroy()
    })
  }
}

async function answer(
  exchange: ExchangeHandler,
  message: ReadMessage,
  reply: ServerResponse,
  mountPath: string | undefined,
): Promise<void> {
  const hangUp = new AbortController()
  const left = new Promise<void>((resolve) => {
    reply.once('finish', resolve)
    reply.once('close', () => {
      if (!reply.writableFinished) hangUp.abort(new Error('The sender closed the connection.'))
      resolve()
    })
  })
  const cutOff = pathCutOff(message)
  const request = toRequest(message, cutOff, hangUp.signal)
  if (request === undefined) {
    reply.writeHead(400).end()
    return
  }
  const response = await exchange(request, () => left, mountPath ?? cutOff)
  const body = Buffer.from(await response.arrayBuffer())
  reply.statusCode = response.status
  reply.setHeaders(response.headers)
  reply.end(body)
}

/** The path that Express, Connect and their kin have taken off the address, if so. */
function pathCutOff({ originalUrl, url = '/' }: ReadMessage): string | undefined {
  if (typeof originalUrl !== 'string' || originalUrl.length <= url.length) return undefined
  if (!originalUrl.startsWith('/') || !originalUrl.endsWith(url)) return undefined
  return originalUrl.slice(0, -url.length)
}

/** @returns undefined for a request line that is no address, or a method that fetch does not have */
function toRequest(
  message: ReadMessage,
  cutOff: string | undefined,
  signal: AbortSignal,
): Request | undefined {
  const {
    method = 'GET',
    headers: { host = 'localhost' },
    url = '/',
  } = message
  const address = url.startsWith('/') ? `http://${host}${cutOff ?? ''}${url}` : url
  if (!URL.canParse(address) || /^(?:connect|trace|track)$/i.test(method)) return undefined
  const bodiless = method === 'GET' || method === 'HEAD'
  return new Request(address, {
    method,
    headers: headersOf(message),
    signal,
    ...(bodiless ? {} : { body: bodyOf(message), duplex: 'half' as const }),
  })
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return headers
}

function bodyOf(
  message: ReadMessage,
): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string {
  const { rawBody, body } = message
  for (const kept of [rawBody, body]) {
    if (isBytes(kept) || typeof kept === 'string') return kept
  }
  // Some leave an empty object at `body` of what they did not read.
  if (!message.readableDidRead) return streamOf(message)
  return body === undefined ? consumedStream() : JSON.stringify(body)
}

/** Parsers share no memory with other threads. */
function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array
}

function consumedStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.error(new BodyConsumedError())
    },
  })
}

// Not Readable.toWeb: it destroys the socket when a body is left unread, and with it the answer
// that says why (413). Nothing is read before it is asked for.
function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = message.iterator({ destroyOnReturn: false })
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = (await chunks.next()) as IteratorResult<Uint8Array, undefined>
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return?.()
        message.resume()
      },
    },
    { highWaterMark: 0 },
  )
}
