import { WebSocket } from 'ws'
import type { Child } from './children.ts'

/** How often an open page of the dashboard asks again while facts come in. */
const refreshMs = 300

export interface Readers {
  /** What all of them have been sent. */
  messages: () => number
  close: () => Promise<void>
}

/**
 * Reads the live feed so many times over.
 * @param page what each reads anew while facts come in, as an open page of the dashboard does
 */
export async function openReaders({ url }: Child, count: number, page?: string): Promise<Readers> {
  let messages = 0
  const readers = await Promise.all(
    Array.from({ length: count }, async () => {
      let isStale = false
      let asked = Promise.resolve()
      const timer = setInterval(() => {
        if (page === undefined || !isStale) return
        isStale = false
        asked = asked.then(() => read(`${url}${page}`))
      }, refreshMs)
      const socket = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/live`)
      socket.on('message', () => {
        messages += 1
        isStale = true
      })
      await new Promise((resolve, reject) => {
        socket.once('open', resolve)
        socket.once('error', reject)
      })
      return {
        async close() {
          clearInterval(timer)
          await asked
          socket.terminate()
        },
      }
    }),
  )
  return {
    messages: () => messages,
    close: async () => void (await Promise.all(readers.map((reader) => reader.close()))),
  }
}

async function read(address: string): Promise<void> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  await answer.arrayBuffer()
}
