import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { hasTooManyHeaderLines } from '../../core/header-lines.ts'
import { asksForWebSocket, serveWithoutUpgrade } from '../../core/upgrades.ts'
import { SandboxResponse } from './response-headers.ts'

/** Connection of a request for a WebSocket. */
export interface Upgrade {
  socket: Duplex
  head: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** Returns the connection for a WebSocket; `undefined` when the request is not an upgrade. */
export function upgradeOf(raw: IncomingMessage): Upgrade | undefined {
  return upgrades.get(raw)
}

/** Routes an upgrade as any other request, so that the guards see it. */
export function takeUpgrades(server: Server, routing: RequestListener): void {
  server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The end of a request with too many header lines is unknown: it is refused, and nothing further is read.
    const isComplete = !hasTooManyHeaderLines(raw)
    if (isComplete && !asksForWebSocket(raw)) return serveWithoutUpgrade(server, raw, socket, head)
    // Node removes its error listener from an upgraded socket; without one, a reset would end the process.
    socket.on('error', () => socket.destroy())
    if (isComplete) upgrades.set(raw, { socket, head })
    const response = new SandboxResponse(raw)
    response.assignSocket(raw.socket)
    // Any other response (a guard's, a 404) is plain HTTP and ends the connection.
    response.on('finish', () => socket.end())
    routing(raw, response)
  })
}
