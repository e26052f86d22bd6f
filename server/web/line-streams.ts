import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Streams lines of JSON until the client leaves or the sandbox stops.
 * @param lines must end when the signal comes
 */
export type ResponseLines = (
  reply: FastifyReply,
  lines: (hungUp: AbortSignal) => AsyncIterable<string>,
) => FastifyReply

/** @param app group of routes with the streams, which ends them before the server waits for its responses */
export function createLineStreams(app: FastifyInstance): ResponseLines {
  const open = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const stream of open) stream.abort()
  })

  return (reply, lines) => {
    const hungUp = new AbortController()
    const stream = Readable.from(lines(hungUp.signal), { objectMode: false })
    open.add(hungUp)
    stream.on('close', () => open.delete(hungUp))
    // Node would delay the headers until the first line, which may never come.
    reply.raw.once('pipe', () => reply.raw.flushHeaders())
    // Not the stream's end, which waits for the lines to end.
    reply.raw.once('close', () => hungUp.abort())
    // The declared schema describes a whole response; a stream has none.
    return reply.header('content-type', 'application/x-ndjson').send(stream)
  }
}

/** Queue of changed ids without duplicates. */
export interface Changes {
  note(id: string): void
  /** Removes an id that was read meanwhile. */
  forget(id: string): void
  /** Resolves with the changes since the last call once there are any; `undefined` after the client has left. */
  next(): Promise<readonly string[] | undefined>
}

/** Changes that wait for a client that does not read; the log no longer has most of those before. */
const mostChanges = 50_000

export function createChanges(hungUp: AbortSignal): Changes {
  const changed = new Set<string>()
  let wake = () => {}
  hungUp.addEventListener('abort', () => wake())
  return {
    note(id) {
      changed.add(id)
      const [oldest] = changed.size > mostChanges ? changed : []
      if (oldest !== undefined) changed.delete(oldest)
      wake()
    },
    forget: (id) => void changed.delete(id),
    async next() {
      if (changed.size === 0 && !hungUp.aborted) {
        await new Promise<void>((resolve) => (wake = resolve))
      }
      if (hungUp.aborted) return undefined
      const ids = [...changed]
      changed.clear()
      return ids
    },
  }
}
