import { WebSocket } from 'ws'
import type { LiveMessage } from '../../server/contract/live.ts'
import type { Client } from './traffic/client.ts'

/** Each stays for so long, then it is closed and opened again, or comes back where it was. */
const stayMs = { atLeast: 5000, atMost: 20_000 }
/** Requests of the dashboard's pages. */
const pages = ['overview', 'requests', 'flows', 'deliveries', 'webhooks', 'overrides', 'tokens']

/** Readers of the live feed that come, go on, are cut off and stop reading, as browsers do. */
export class Dashboards {
  readonly #client: Client
  readonly #open = new Set<{ close: () => void }>()
  messages = 0

  constructor(client: Client) {
    this.#client = client
  }

  /** The last of them never reads: what it is sent piles up, until the sandbox has enough of it. */
  open(count: number): void {
    for (let index = 1; index <= count; index++) this.#keepOpen(index === count)
  }

  close(): void {
    for (const dashboard of this.#open) dashboard.close()
    this.#open.clear()
  }

  #keepOpen(neverReads: boolean): void {
    let cursor: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let socket: WebSocket | undefined
    let isClosed = false

    const connect = () => {
      const since = cursor === undefined ? '' : `?since=${encodeURIComponent(cursor)}`
      socket = new WebSocket(`${this.#client.url.replace('http', 'ws')}/_sandbox/live${since}`)
      socket.on('message', (data: Buffer) => {
        this.messages += 1
        cursor = (JSON.parse(data.toString()) as LiveMessage).cursor
      })
      socket.on('open', () => {
        if (neverReads) socket?.pause()
        else this.#read()
      })
      // Whatever went wrong, it is closed next.
      socket.on('error', () => {})
      socket.on('close', () => {
        clearTimeout(timer)
        if (!isClosed) timer = setTimeout(connect, 250)
      })
      const { atLeast, atMost } = stayMs
      timer = setTimeout(leave, atLeast + this.#client.random() * (atMost - atLeast))
    }
    const leave = () => {
      if (this.#client.random() < 0.5) cursor = undefined
      // A closed laptop says no goodbye.
      if (neverReads || this.#client.random() < 0.3) socket?.terminate()
      else socket?.close()
    }

    connect()
    this.#open.add({
      close() {
        isClosed = true
        clearTimeout(timer)
        socket?.terminate()
      },
    })
  }

  #read(): void {
    const page = pages[Math.floor(this.#client.random() * pages.length)] ?? 'overview'
    // What is under way when its tab is closed comes to nothing.
    this.#client.requestAtOnce('GET', `/_sandbox/api/${page}`).catch(() => {})
  }
}
