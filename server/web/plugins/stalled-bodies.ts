import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatDuration } from '../../core/duration.ts'
import { clearInterval, performance, setInterval } from '../../core/timers.ts'
import { HttpRefusal } from './refusals.ts'

/** Milliseconds without a byte of a body after which the request ends. */
export const stallMs = 60_000

/**
 * Ends requests whose body stalls: the client gets a 408, and its connection is closed (RFC 9110 §15.5.9). Register it before
 * any hook that may refuse a request, because a client goes on sending the body of a refused one.
 * @param patienceMs longest time without a byte while the server is ready to read
 */
export function registerStalledBodies(app: FastifyInstance, patienceMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) watchBody(request, reply, patienceMs)
    done()
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

function watchBody({ raw }: FastifyRequest, reply: FastifyReply, patienceMs: number): void {
  const { socket } = raw
  // The body of an injected request is in memory.
  if (!(socket instanceof Socket)) return
  let bytes = socket.bytesRead
  let at = performance.now()
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer)
    // A slow handler is not the client's fault: unread bytes are in the buffer.
    if (socket.bytesRead !== bytes || raw.readableLength > 0) {
      bytes = socket.bytesRead
      at = performance.now()
    } else if (performance.now() - at >= patienceMs) {
      clearInterval(timer)
      end()
    }
  }, patienceMs / 10)
  timer.unref()
  raw.once('close', () => clearInterval(timer))

  function end(): void {
    const message = `The request body stalled: no byte came for ${formatDuration(patienceMs)}`
    const error = new HttpRefusal(408, 'invalid', message)
    if (reply.raw.headersSent || raw.listenerCount('error') === 0) {
      raw.destroy(error)
      return
    }
    reply.header('connection', 'close')
    // Destroying it would close the connection before the response.
    raw.emit('error', error)
  }
}
