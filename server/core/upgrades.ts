import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket'
}

const upgradeHeaders = new Set(['connection', 'upgrade', 'http2-settings'])

/**
 * Ignores the request for another protocol, as RFC 9110 §7.8 allows: Java's HTTP client offers HTTP/2 with its first
 * request, even with one that has a body. Node emits such a request without its body, so the server receives the
 * connection again, with a head without the offer.
 * @param raw request with all header lines; without those that frame its body, the body would be read as the next
 * request
 */
export function serveWithoutUpgrade(
  server: Server,
  raw: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${raw.method} ${raw.url} HTTP/${raw.httpVersion}`]
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index] ?? ''
    if (!upgradeHeaders.has(name.toLowerCase())) lines.push(`${name}: ${raw.rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}
