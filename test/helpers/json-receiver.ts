import { createServer, type RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Serves on a loopback port until it is closed, which ends open connections as well. */
export async function openServer(listener: RequestListener | Server) {
  const server = listener instanceof Server ? listener : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Serves on a loopback port until the test ends. @returns the origin */
export async function serve(listener: RequestListener | Server): Promise<string> {
  const { origin, close } = await openServer(listener)
  onTestFinished(close)
  return origin
}

/** Takes whatever is posted as JSON, until the test ends. */
export async function startJsonReceiver(): Promise<{ url: string; bodies: unknown[] }> {
  const bodies: unknown[] = []
  const origin = await serve((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      bodies.push(JSON.parse(text))
      response.end()
    })
  })
  return { url: `${origin}/`, bodies }
}

/** Request for a webhook of alice that watches acme. */
export const webhookAt = (url: string, more?: object) => ({
  owner: 'alice',
  url,
  watched: [{ type: 'org', name: 'acme' }],
  ...more,
})
