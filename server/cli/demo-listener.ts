import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerLimit } from '../core/header-limit.ts'
import { addressOf } from '../core/request-target.ts'

/** Small server that acts as callback page of an app or receiver of a webhook. */
export interface Listener {
  url: string
  /** First request: its URL, or its headers and body if it has one. */
  next: Promise<string>
}

/** Listens on a free loopback port while `body` runs. */
export async function withListener(
  path: string,
  body: (listener: Listener) => Promise<void>,
): Promise<void> {
  const { promise: next, resolve } = withResolver()
  let root = ''
  const server = createServer(headerLimit, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const address = addressOf(request.url ?? '/', root)
      const isWanted = address?.pathname === path
      response.writeHead(isWanted ? 200 : 404, { 'content-type': 'text/plain' })
      response.end(isWanted ? 'Done. You can go back to the terminal.\n' : '')
      if (isWanted)
        resolve(describe(address, request.headers, Buffer.concat(chunks).toString('utf8')))
    })
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  root = `http://localhost:${port}`
  try {
    await body({ url: root + path, next })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function describe(address: URL, headers: NodeJS.Dict<string | string[]>, text: string): string {
  if (text === '') return address.href
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  return `${lines.join('\n')}\n\n${indented(text)}`
}

/** Other callers may send invalid JSON. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

function withResolver(): { promise: Promise<string>; resolve: (value: string) => void } {
  let resolve: (value: string) => void = () => {}
  const promise = new Promise<string>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
