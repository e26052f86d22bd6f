import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyConsumedError } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import type { Log } from '../log.ts'

/** A message whose body a framework may have read and left at `body`. */
type ReadMessage = IncomingMessage & { body?: unknown }

/** Fits `http.createServer`, and whatever else hands on the message and the reply of node:http. */
export type NodeHandler = (message: IncomingMessage, reply: ServerResponse) => void

/** Answers with what the exchange returns, bytes unchanged. */
export function nodeHandler(exchange: Exchange, log: Log): NodeHandler {
  return (message, reply) => {
    answer(exchange, message, reply).catch((error: unknown) => {
      log.error('A request to the webhook receiver could not be answered.', error)
      reply.destroy()
    })
  }
}

async function answer(
  exchange: Exchange,
  message: ReadMessage,
  reply: ServerResponse,
): Promise<void> {
  const hangUp = new AbortController()
  const left = new Promise<void>((resolve) => {
    reply.once('finish', resolve)
    reply.once('close', () => {
      if (!reply.writableFinished) hangUp.abort(new Error('The sender hung up.'))
      resolve()
    })
  })
  const request = toRequest(message, hangUp.signal)
  if (request === undefined) {
    reply.writeHead(400).end()
    return
  }
  const response = await exchange(request, () => left)
  const body = Buffer.from(await response.arrayBuffer())
  reply.statusCode = response.status
  reply.setHeaders(response.headers)
  reply.end(body)
}

/** @returns undefined for a request line that is no address, or a method that fetch does not have */
function toRequest(message: ReadMessage, signal: AbortSignal): Request | undefined {
  const {
    method = 'GET',
    headers: { host = 'localhost' },
    url = '/',
  } = message
  const address = url.startsWith('/') ? `http://${host}${url}` : url
  if (!URL.canParse(address) || /^(?:connect|trace|track)$/i.test(method)) return undefined
  const bodiless = method === 'GET' || method === 'HEAD'
  return new Request(address, {
    method,
    headers: headersOf(message),
    signal,
    ...(bodiless ? {} : { body: bodyOf(message), duplex: 'half' }),
  })
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return headers
}

function bodyOf(message: ReadMessage): ReadableStream<Uint8Array> | Uint8Array | string {
  const { body } = message
  if (body instanceof Uint8Array || typeof body === 'string') return body
  if (message.readableDidRead) return consumedStream()
  return streamOf(message)
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
