import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { SandboxResponse } from './answer-headers.ts'

/** The connection of a request that asked to speak WebSocket on it. */
export interface Upgrade {
  socket: Duplex
  head: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** What a route answers a WebSocket on; `undefined` when the request asked for none. */
export function upgradeOf(raw: IncomingMessage): Upgrade | undefined {
  return upgrades.get(raw)
}

/** Has an upgrade take the way of any other request, so that the guards see it. */
export function takeUpgrades(server: Server, routing: RequestListener): void {
  server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(raw)) return ignoreUpgrade(server, raw, socket, head)
    // Node takes its own error listener off an upgraded socket; without one, a reset would end the process.
    socket.on('error', () => socket.destroy())
    upgrades.set(raw, { socket, head })
    const response = new SandboxResponse(raw)
    response.assignSocket(raw.socket)
    // Whatever else answers (a guard, a 404) answers HTTP and is done with the connection.
    response.on('finish', () => socket.end())
    routing(raw, response)
  })
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket'
}

const upgradeHeaders = new Set(['connection', 'upgrade', 'http2-settings'])

/**
 * Takes a request as if it had not asked for another protocol, which a server may (RFC 9110 §7.8): Java's HTTP client
 * offers HTTP/2 with its first request, a form with a body it may be. Node hands such a request over without its
 * body, so the server is given the connection once more, with a head that does not ask.
 */
function ignoreUpgrade(server: Server, raw: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${raw.method} ${raw.url} HTTP/${raw.httpVersion}`]
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index] ?? ''
    if (!upgradeHeaders.has(name.toLowerCase())) lines.push(`${name}: ${raw.rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}
