import type { LiveMessage } from '../../server/contract/live.ts'
import { shareStrings } from '../lib/share-strings.ts'

export type LiveStatus = 'connecting' | 'open' | 'lost'

export interface LiveConnection {
  status: () => LiveStatus
  onStatus: (listener: () => void) => () => void
  onMessage: (listener: (message: LiveMessage) => void) => () => void
  /** Reconnects now instead of at the next due time. */
  retry: () => void
  close: () => void
}

const firstRetryMs = 250
const longestRetryMs = 5000

/**
 * Connects the dashboard's one socket: it replays recent entries, then streams. After a loss it resumes from the last
 * cursor; if that is too old, the server sends `gap`.
 */
export function connectLive(url: string): LiveConnection {
  const statusListeners = new Set<() => void>()
  const messageListeners = new Set<(message: LiveMessage) => void>()
  let status: LiveStatus = 'connecting'
  let cursor: string | undefined
  let retryMs = firstRetryMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let socket: WebSocket | undefined
  let closed = false

  function setStatus(next: LiveStatus): void {
    if (next === status) return
    status = next
    for (const listener of statusListeners) listener()
  }

  function open(): void {
    clearTimeout(timer)
    const current = new WebSocket(cursor ? `${url}?since=${encodeURIComponent(cursor)}` : url)
    socket = current
    current.addEventListener('open', () => setStatus('open'))
    current.addEventListener('message', ({ data }: MessageEvent<string>) => {
      // Not on open: a server that accepts and closes at once must not cause a tight loop.
      retryMs = firstRetryMs
      const message = shareStrings(JSON.parse(data) as LiveMessage)
      cursor = message.cursor
      for (const listener of messageListeners) listener(message)
    })
    current.addEventListener('close', () => {
      if (closed || socket !== current) return
      setStatus('lost')
      timer = setTimeout(open, retryMs)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    })
  }

  open()
  return {
    status: () => status,
    onStatus(listener) {
      statusListeners.add(listener)
      return () => statusListeners.delete(listener)
    },
    onMessage(listener) {
      messageListeners.add(listener)
      return () => messageListeners.delete(listener)
    },
    retry() {
      if (closed || status !== 'lost') return
      socket?.close()
      open()
    },
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}

export function liveAddress(): string {
  const url = new URL(`${import.meta.env.BASE_URL}live`, window.location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
