import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { headerLimit } from '../../../core/header-limit.ts'
import {
  countHeaderLines,
  hasTooManyHeaderLines,
  tooManyHeaderLines,
} from '../../../core/header-lines.ts'
import { asksForWebSocket, serveWithoutUpgrade } from '../../../core/upgrades.ts'
import { originOf, readAuthority } from './proxy-addresses.ts'
import { notIntercepted, refuseUnreadable, refuseSocket } from './proxy-forward.ts'
import { Gate, idleMs, openingMs, type ProxyOptions } from './proxy-gate.ts'

export interface Proxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Closes open connections too. */
  close(): Promise<void>
}

const loopback = '127.0.0.1'
/**
 * Starts a proxy for this machine only. Requests for the origins go to the sandbox, over TLS with a certificate for
 * their names; loopback requests go to their target; anything else is refused, unless the network is allowed.
 */
export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const sockets = new Set<Duplex>()
  /** Origins of the open tunnels to the hub, by the port of the client: TLS hides the connection that CONNECT opened. */
  const tunnels = new Map<number, string>()
  const gate = new Gate(options, ({ remotePort = 0 }) => tunnels.get(remotePort))
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    gate.serveHub(request, response)
  // Neither listens: they get the connections of CONNECT requests.
  const plain = http.createServer(headerLimit, serve)
  const secure = https.createServer(
    {
      ...options.certificate,
      ...headerLimit,
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: openingMs,
    },
    serve,
  )
  for (const server of [plain, secure]) {
    server.timeout = idleMs
    takeUpgrades(server, (request, socket, head) => gate.upgradeHub(request, socket, head))
  }
  const front = http.createServer(headerLimit, (request, response) =>
    gate.servePlain(request, response),
  )
  for (const server of [front, plain, secure]) server.on('clientError', refuseUnreadable)
  front.headersTimeout = openingMs
  front.on('connection', (socket: Socket) => keep(sockets, socket))
  takeUpgrades(front, (_request, socket) => {
    refuseSocket(socket, 501, 'Protocols other than HTTP require a tunnel (CONNECT).')
  })
  front.on('connect', (request, socket: Socket, head) => {
    socket.on('error', () => socket.destroy())
    const target = readAuthority(request.url)
    if (target === undefined) {
      return refuseSocket(socket, 400, 'CONNECT requires a host and port: CONNECT name:443.')
    }
    const passage = gate.passageTo(target)
    if (passage.kind === 'nowhere') {
      return refuseSocket(socket, 403, passage.why, `${notIntercepted}: ${target.host}`)
    }
    if (passage.kind === 'sandbox') {
      const { remotePort = 0 } = socket
      tunnels.set(remotePort, originOf(target, passage.isSecure))
      socket.once('close', () => tunnels.delete(remotePort))
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.unshift(head)
      const server = passage.isSecure ? secure : plain
      server.emit('connection', socket)
      return
    }
    void gate.tunnel(target, passage, { socket, head })
  })
  await listen(front)
  const { port } = front.address() as AddressInfo
  gate.ownPorts.push(port)
  front.on('error', () => undefined)
  return {
    url: `http://${loopback}:${port}`,
    async close() {
      const closed = new Promise((resolve) => front.close(resolve))
      for (const socket of sockets) socket.destroy()
      gate.close()
      await closed
    },
  }
}

/** Passes WebSocket upgrades; clients that offer another protocol get HTTP/1.1. */
function takeUpgrades(
  server: Server,
  takeWebSocket: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  countHeaderLines(server).on(
    'upgrade',
    (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const isComplete = !hasTooManyHeaderLines(request)
      if (isComplete && !asksForWebSocket(request)) {
        return serveWithoutUpgrade(server, request, socket, head)
      }
      socket.on('error', () => socket.destroy())
      if (isComplete) takeWebSocket(request, socket, head)
      else refuseSocket(socket, 431, tooManyHeaderLines)
    },
  )
}

function keep(sockets: Set<Duplex>, socket: Socket): void {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, loopback, resolve)
  })
}
