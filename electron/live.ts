import type { WebSocket } from 'ws'
import type { LiveEntry, LiveMessage } from '../server/contract/live.ts'
import { controlHeaders } from './control.ts'
import type { ShownSandbox } from './sandboxes.ts'

const firstRetryMs = 250
const longestRetryMs = 5000

export interface LiveListener {
  /** Called on (re)connection: known data may be out of date. */
  onOpen: () => void
  /** Called with new events, each one once. */
  onNews: (entries: readonly LiveEntry[]) => void
  onLost: () => void
}

/**
 * Follows the live feed of a sandbox and reconnects. Replayed past events are ignored.
 * @returns a function that stops following
 */
export function followFacts(
  sandbox: Pick<ShownSandbox, 'dashboardUrl'>,
  { onOpen, onNews, onLost }: LiveListener,
): () => void {
  const address = new URL('live', sandbox.dashboardUrl)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  let cursor: string | undefined
  let retryMs = firstRetryMs
  let timer: NodeJS.Timeout | undefined
  let socket: WebSocket | undefined
  let isEnded = false

  function read(text: string): void {
    const message = JSON.parse(text) as LiveMessage
    const isNews = cursor !== undefined && message.gap !== true
    retryMs = firstRetryMs
    cursor = message.cursor
    if (isNews) onNews(message.entries)
    else onOpen()
  }

  async function open(): Promise<void> {
    // Like the server: one copy in the bundle, loaded on demand.
    const { WebSocket } = await import('ws')
    if (isEnded) return
    if (cursor !== undefined) address.searchParams.set('since', cursor)
    socket = new WebSocket(address, { headers: controlHeaders(sandbox) })
    socket.on('message', (data) => {
      // oxlint-disable-next-line typescript/no-base-to-string -- text comes as a Buffer
      if (!isEnded) read(data.toString())
    })
    // `close` follows and handles it.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (isEnded) return
      onLost()
      timer = setTimeout(() => void open(), retryMs)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    })
  }

  void open()
  return () => {
    isEnded = true
    clearTimeout(timer)
    socket?.terminate()
  }
}
