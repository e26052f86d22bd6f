import { inBackground, type Report, warn } from '../core/background.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'
import type { LiveMessage } from '../contract/live.ts'
import type { EventLog, LogPage } from './log.ts'

/** What the feed needs of a WebSocket. */
export interface FeedSocket {
  /** Bytes that wait to be sent. */
  readonly bufferedAmount: number
  send(text: string): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface LiveFeed {
  /** @param since cursor to resume after; absent = replay what is recent */
  add(socket: FeedSocket, since: string | undefined): void
  close(): void
}

export interface LiveFeedOptions {
  /** Facts of this time go out as one message, in real time. */
  batchMs?: number
  /** Facts replayed to a new reader, and at most in one message. */
  pageSize?: number
  /** A reader with more than this unsent is passed over until it has caught up. */
  maxBufferedBytes?: number
  /** Told of readers that could not be served; they are cut off. */
  report?: Report
}

/** How long a reader may take to confirm the end, before it is cut off. */
const closeGraceMs = 1000

interface Reader {
  socket: FeedSocket
  cursor: string
  /** Facts were dropped since the last message. */
  behind: boolean
}

/** What a reader is sent next, and where it stands then. */
interface NextText extends Pick<LogPage, 'cursor' | 'more'> {
  text: string
}

/** Most readers have seen the same: what they are sent is made once. */
type TextsByCursor = Map<string, NextText>

/** Streams the event log to any number of sockets, each at its own pace. */
export function createLiveFeed(
  log: EventLog,
  {
    batchMs = 50,
    pageSize = 500,
    maxBufferedBytes = 8 * 1024 * 1024,
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
          // It may ask again for what it missed.
          readers.delete(reader)
          reader.socket.terminate()
        },
      )
    }
    if (unfinished) schedule()
  }

  /** @returns whether the reader has to be served again, even if nothing new happens */
  function serve(reader: Reader, texts: TextsByCursor): boolean {
    if (reader.cursor === log.cursor && !reader.behind) return false
    const next = read(reader, texts)
    if (reader.socket.bufferedAmount + next.text.length > maxBufferedBytes) {
      reader.cursor = log.cursor
      reader.behind = true
      return true
    }
    reader.socket.send(next.text)
    reader.cursor = next.cursor
    reader.behind = false
    return next.more
  }

  function read({ cursor, behind }: Reader, texts: TextsByCursor): NextText {
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
      const reader: Reader = { socket, cursor: page.cursor, behind: false }
      readers.add(reader)
      socket.on('close', () => readers.delete(reader))
      // `close` follows; there is nobody to tell.
      socket.on('error', () => readers.delete(reader))
      socket.send(encode(page, false))
      if (page.more) schedule()
    },
    close() {
      stopListening()
      clearTimeout(timer)
      for (const { socket } of readers) {
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
