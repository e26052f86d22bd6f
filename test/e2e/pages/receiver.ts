import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestReceiver {
  url: string
  /** Bodies as they came. */
  received: string[]
  /** What it answers from now on. */
  answer(status: number): void
  close(): Promise<void>
}

/** Something that listens for deliveries, on a port of its own. */
export async function startReceiver(): Promise<TestReceiver> {
  const received: string[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString())
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ processed: status === 200 }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks/events`,
    received,
    answer: (next) => {
      status = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
