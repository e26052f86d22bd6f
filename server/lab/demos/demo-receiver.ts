import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerLimit } from '../../core/header-limit.ts'

/** Receiver of a demo. */
export interface Receiver {
  readonly url: string
  /** Status and body of its next responses. */
  respondsWith(status: number, body: Readonly<Record<string, unknown>>): void
  close(): void
}

/** Serves a webhook receiver on a free loopback port. */
export async function openReceiver(): Promise<Receiver> {
  let answer = { status: 200, body: '' }
  const server = createServer(headerLimit, (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A demo that nobody ends must not keep the program running.
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    respondsWith(status, body) {
      answer = { status, body: JSON.stringify(body) }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
