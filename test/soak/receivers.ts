import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const slowMs = 1500

const behaviours = {
  fast: (response: ServerResponse) => void response.end(),
  slow: (response: ServerResponse) => void setTimeout(() => response.end(), slowMs).unref(),
  failing: (response: ServerResponse) => void response.writeHead(500).end('{"error":"no"}'),
  hanging: () => {},
}

/** Receivers of deliveries: fast, slow, failing and hanging. */
export interface Receivers {
  readonly urls: Readonly<Record<keyof typeof behaviours, string>>
  /** Deliveries that came so far. */
  received(): number
  close(): Promise<void>
}

export async function startReceivers(): Promise<Receivers> {
  const servers: Server[] = []
  const urls = { fast: '', slow: '', failing: '', hanging: '' }
  let received = 0
  for (const name of Object.keys(behaviours) as (keyof typeof behaviours)[]) {
    const server = createServer((request, response) => {
      received += 1
      request.resume().on('end', () => behaviours[name](response))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`
  }
  return {
    urls,
    received: () => received,
    async close() {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
