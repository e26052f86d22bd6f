import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearInterval, setInterval } from '../../core/timers.ts'
import type { Deps } from '../deps.ts'
import { answerInTime } from '../../web/patience.ts'
import { keepsCredentials } from './principal-of-request.ts'

/** Clients treat a silent stream as dead. */
const keepAliveMs = 30_000
/**
 * Most bytes that wait for a client that does not read. Earlier events are sent at once: the log of a job has up to 128 KB, the
 * kept changes of a bucket a few MB.
 */
const mostWaiting = 16 * 1024 * 1024

/**
 * Sends events to a stream until it is stopped.
 * @param end ends the stream
 * @returns a function that stops this
 */
export type EventSource = (send: (event: string) => void, end: () => void) => () => void

/** Open streams of server-sent events. */
export class EventStreams {
  readonly #deps: Deps
  readonly #endings = new Set<() => void>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Opens a stream for the caller of a request. It ends with the credentials, and when it is not read. */
  open(request: FastifyRequest, reply: FastifyReply, source: EventSource): Readable {
    answerInTime(reply)
    const isAllowed = keepsCredentials(this.#deps, request)
    const stream = new Readable({ read() {} })
    let isEnded = false
    const end = () => {
      if (isEnded || stream.destroyed) return
      isEnded = true
      stream.push(null)
    }
    const send = (event: string) => {
      if (isEnded || stream.destroyed) return
      if (!isAllowed()) return end()
      stream.push(event)
      // The client would get the rest only if it read: its connection is closed.
      if (stream.readableLength > mostWaiting) stream.destroy()
    }
    const endUnlessAllowed = () => {
      if (!isAllowed()) end()
    }
    const stops = [
      source(send, end),
      this.#deps.bus.on('token.revoked', endUnlessAllowed),
      this.#deps.bus.on('session.ended', endUnlessAllowed),
    ]
    const keepAlive = setInterval(() => send(': keep-alive\n\n'), keepAliveMs)
    stream.on('close', () => {
      for (const stop of stops) stop()
      clearInterval(keepAlive)
      this.#endings.delete(end)
    })
    this.#endings.add(end)
    return stream
  }

  /** Ends all streams: a server with an open one cannot close. */
  end(): void {
    for (const end of this.#endings) end()
  }
}
