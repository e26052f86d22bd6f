import { inBackground, type Report, warn } from '../../core/background.ts'
import { clearTimeout, setTimeout } from '../../core/timers.ts'
import type { LiveMessage } from '../../contract/live.ts'
import type { EventLog, LogPage } from './event-log.ts'

/** Part of a WebSocket that the feed uses. */
export interface FeedSocket {
  /** Bytes not yet sent. */
  readonly bufferedAmount: number
  send(text: string): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface LiveFeed {
  /** @param since cursor to resume after; absent = replay recent facts */
  add(socket: FeedSocket, since: string | undefined): void
  close(): void
}

export interface LiveFeedOptions {
  /** Real time during which facts are collected into one message. */
  batchMs?: number
  /** Most facts replayed to a new reader, and most in a message. */
  pageSize?: number
  /** A reader with more unsent bytes is skipped until it has caught up; one message more may be added to them. */
  maxBufferedBytes?: number
  /** Real time after which a reader that does not catch up is disconnected. */
  patienceMs?: number
  /** Receives errors of readers, which are disconnected. */
  report?: Report
}

/** Time for a reader to confirm the close before it is disconnected. */
const closeGraceMs = 1000

interface Reader {
  socket: FeedSocket
  cursor: string
  /** Disconnects it: facts are dropped since the last message. */
  giveUp?: NodeJS.Timeout | undefined
}

/** Next message of a reader, and its cursor afterwards. */
interface NextText extends Pick<LogPage, 'cursor' | 'more'> {
  text: string
}

/** Most readers are at the same cursor, so their message is built once. */
type TextsByCursor = Map<string, NextText>

/** Streams the event log to any number of sockets, each at its own pace. */
export function createLiveFeed(
  log: EventLog,
  {
    batchMs = 50,
    pageSize = 500,
    maxBufferedBytes = 8 * 1024 * 1024,
    patienceMs = 60_000,
    report = warn,
  }: LiveFeedOptions = {},
): LiveFeed {
  const readers = new Set<Reader>()
  let timer: NodeJS.Timeout | undefined

  const stopListening = log.onAppend(schedule)

  function schedule(): void {
    if (timer !== undefined || readers.size === 0) return
    timer = setTimeout(flush, batchMs)
  }

  function flush(): void {
    timer = undefined
    let unfinished = false
    const texts: TextsByCursor = new Map()
    for (const reader of readers) {
      inBackground(
        report,
        'serving the live feed',
        () => {
          unfinished = serve(reader, texts) || unfinished
        },
        () => {
          // The reader may resume from its cursor.
          drop(reader)
          reader.socket.terminate()
        },
      )
    }
    if (unfinished) schedule()
  }

  /** @returns whether the reader must be served again, even without new facts */
  function serve(reader: Reader, texts: TextsByCursor): boolean {
    if (reader.cursor === log.cursor && reader.giveUp === undefined) return false
    if (reader.socket.bufferedAmount >= maxBufferedBytes) {
      reader.cursor = log.cursor
      reader.giveUp ??= setTimeout(() => {
        drop(reader)
        reader.socket.terminate()
      }, patienceMs)
      return true
    }
    const next = read(reader, texts)
    reader.socket.send(next.text)
    reader.cursor = next.cursor
    clearTimeout(reader.giveUp)
    reader.giveUp = undefined
    return next.more
  }

  function drop(reader: Reader): void {
    clearTimeout(reader.giveUp)
    readers.delete(reader)
  }

  function read({ cursor, giveUp }: Reader, texts: TextsByCursor): NextText {
    const behind = giveUp !== undefined
    const known = behind ? undefined : texts.get(cursor)
    if (known !== undefined) return known
    const page = log.after(cursor, pageSize)
    const next = { text: encode(page, behind), cursor: page.cursor, more: page.more }
    if (!behind) texts.set(cursor, next)
    return next
  }

  return {
    add(socket, since) {
      const page = since === undefined ? log.recent(pageSize) : log.after(since, pageSize)
      const reader: Reader = { socket, cursor: page.cursor }
      readers.add(reader)
      socket.on('close', () => drop(reader))
      // `close` follows; no report is needed.
      socket.on('error', () => drop(reader))
      socket.send(encode(page, false))
      if (page.more) schedule()
    },
    close() {
      stopListening()
      clearTimeout(timer)
      for (const { socket, giveUp } of readers) {
        clearTimeout(giveUp)
        socket.close(1001, 'The sandbox is stopping')
        setTimeout(() => socket.terminate(), closeGraceMs).unref()
      }
      readers.clear()
    },
  }
}

function encode(page: LogPage, behind: boolean): string {
  const message: LiveMessage = {
    cursor: page.cursor,
    ...(page.gap || behind ? { gap: true as const } : {}),
    entries: page.entries,
  }
  return JSON.stringify(message)
}
