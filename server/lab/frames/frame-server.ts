import http, { type IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { linkVia } from '../../core/delivery-marks.ts'
import { headerLimit } from '../../core/header-limit.ts'
import {
  countHeaderLines,
  hasTooManyHeaderLines,
  tooManyHeaderLines,
} from '../../core/header-lines.ts'
import { isLoopbackAuthority, localhostAddresses } from '../../core/loopback.ts'
import { listenersOfProcess } from '../../core/own-ports.ts'
import { asksForWebSocket, serveWithoutUpgrade } from '../../core/upgrades.ts'

/** Certificate and key, PEM. */
export interface FrameCertificate {
  readonly key: string
  readonly cert: string
}

export interface FrameHandlers {
  /** Called for each request that the guard let through. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Called for each request for a WebSocket that the guard let through. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly onError: (error: Error) => void
}

/** Server of one frame, on the loopback addresses of this machine. */
export interface FrameServer {
  readonly port: number
  /** Also ends requests and WebSockets in progress. */
  close(): Promise<void>
}

/** Ports that are tried for one that is free on all addresses. */
const mostTries = 5

/**
 * Listens on loopback, with the scheme of the sandbox.
 * @param port 0 = any port that is free on both addresses
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function openFrameServer(
  port: number,
  certificate: FrameCertificate | undefined,
  handlers: FrameHandlers,
): Promise<FrameServer> {
  for (let tries = 1; ; tries++) {
    const opened: Opened[] = []
    try {
      for (const address of localhostAddresses) {
        const at = opened[0]?.port ?? port
        // A machine without IPv6 has no ::1.
        const server = await listen(address, at, certificate, handlers).catch((error: unknown) => {
          if (opened.length === 0 || !isMissingAddress(error)) throw error
        })
        if (server !== undefined) opened.push(server)
      }
      return combine(opened)
    } catch (error) {
      await Promise.all(opened.map((server) => server.close()))
      if (port !== 0 || tries >= mostTries || codeOf(error) !== 'EADDRINUSE') throw error
    }
  }
}

interface Opened {
  readonly port: number
  close(): Promise<void>
}

function combine(opened: readonly Opened[]): FrameServer {
  const [first] = opened
  if (first === undefined) throw new TypeError('there is no address to listen on')
  // Outgoing requests must not come back here: a frame of a frame would call itself without end.
  const listener = { port: first.port }
  listenersOfProcess().add(listener)
  return {
    port: first.port,
    async close() {
      listenersOfProcess().delete(listener)
      await Promise.all(opened.map((server) => server.close()))
    },
  }
}

async function listen(
  address: string,
  port: number,
  certificate: FrameCertificate | undefined,
  { handle, upgrade, onError }: FrameHandlers,
): Promise<Opened> {
  const server = countHeaderLines(
    certificate === undefined
      ? http.createServer(headerLimit)
      : https.createServer({ ...headerLimit, ...certificate }),
  )
  const scheme = certificate === undefined ? 'http' : 'https'
  const upgraded = new Set<Duplex>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = frameRefusal(request, scheme)
    if (refusal === undefined) handle(request, response)
    else sendText(response, refusal.status, refusal.message)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isComplete = !hasTooManyHeaderLines(request)
    if (isComplete && !asksForWebSocket(request)) {
      return serveWithoutUpgrade(server, request, socket, head)
    }
    // Node removes its own error listener, and an error without one would end the process.
    socket.on('error', () => socket.destroy())
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    const refusal = frameRefusal(request, scheme)
    if (refusal === undefined) return upgrade(request, socket, head)
    sendText(responseOn(request, socket), refusal.status, refusal.message)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  server.on('error', onError)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of upgraded) socket.destroy()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Response to a request whose connection Node has handed over; the connection ends with it. */
export function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  response.on('finish', () => socket.end())
  return response
}

interface FrameRefusal {
  status: number
  message: string
}

/**
 * Returns why a request does not reach the app. Host names other than loopback ones are refused (DNS rebinding), and so is
 * what pages of other origins send: they may only navigate here, as links and the Hub's redirects do.
 */
export function frameRefusal(
  request: Pick<IncomingMessage, 'headers' | 'method' | 'rawHeaders' | 'url'>,
  scheme: 'http' | 'https',
): FrameRefusal | undefined {
  const { headers, method = 'GET', url = '' } = request
  if (hasTooManyHeaderLines(request as IncomingMessage)) {
    return { status: 431, message: tooManyHeaderLines }
  }
  const { host, origin } = headers
  if (!isLoopbackAuthority(host)) {
    return { status: 403, message: 'A Space frame only accepts loopback host names.' }
  }
  if (!url.startsWith('/')) {
    return { status: 400, message: 'Send the path alone, such as GET /, not a whole URL.' }
  }
  if (headers.via?.includes(linkVia) === true) {
    return {
      status: 508,
      message: 'This request came from a link or a frame of a sandbox, and would run in a circle.',
    }
  }
  const site = headers['sec-fetch-site']
  const isOwn = origin === undefined || origin === `${scheme}://${host}`
  const isOwnNull = origin === 'null' && site === 'same-origin'
  const isForeign = site === 'cross-site' || site === 'same-site'
  const isVisit =
    headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD')
  if ((isOwn || isOwnNull || isVisit) && (!isForeign || isVisit)) return undefined
  return {
    status: 403,
    message:
      'A Space frame only forwards requests of the app’s own pages. Pages of other origins may only link to it.',
  }
}

/** Sends a response of the frame itself. */
export function sendText(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response
    .writeHead(status, {
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Content-Type': 'text/plain; charset=utf-8',
    })
    .end(`${message}\n`)
}

function isMissingAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
