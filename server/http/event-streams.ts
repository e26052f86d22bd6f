import { Readable } from 'node:stream'
import { clearInterval, setInterval } from '../core/timers.ts'

/** Clients treat a silent stream as dead. */
const keepAliveMs = 30_000
/** Most bytes that wait for a client that does not read. */
const mostWaiting = 16 * 1024 * 1024

/**
 * Sends events to a stream until it is stopped.
 * @param end ends the stream
 * @returns a function that stops this
 */
export type EventSource = (send: (event: string) => void, end: () => void) => () => void

/** Open streams of server-sent events. */
export class EventStreams {
  readonly #endings = new Set<() => void>()

  open(source: EventSource): Readable {
    const stream = new Readable({ read() {} })
    let isEnded = false
    const end = () => {
      if (isEnded || stream.destroyed) return
      isEnded = true
      stream.push(null)
    }
    const send = (event: string) => {
      if (isEnded || stream.destroyed) return
      stream.push(event)
      if (stream.readableLength > mostWaiting) end()
    }
    const stop = source(send, end)
    const keepAlive = setInterval(() => send(': keep-alive\n\n'), keepAliveMs)
    stream.on('close', () => {
      stop()
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
