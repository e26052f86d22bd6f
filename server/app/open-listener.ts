import http, { type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Certificate } from './certificate.ts'
import { sandboxAt } from './sandbox-at.ts'
import { warn } from '../core/background.ts'
import { createConnections } from '../core/connections.ts'
import { headerLimit } from '../core/header-limit.ts'
import { countHeaderLines } from '../core/header-lines.ts'
import { listenersOfProcess } from '../core/own-ports.ts'
import { clearInterval, setInterval } from '../core/timers.ts'
import { SandboxResponse } from '../web/plugins/response-headers.ts'

export interface ListenOptions {
  /** 0 = any port that is free on all addresses. */
  port: number
  hosts: readonly string[]
  /** Whether to leave out `::1` on a machine without IPv6. */
  hostsAreDefault: boolean
  certificate?: Certificate
}

/** Open ports of a sandbox. They are opened first, because the base URL may depend on the port. */
export interface Listeners {
  readonly port: number
  /** Upgrades and malformed requests of every address arrive here. */
  readonly primary: Server
  /** Resolves when the first request has its response, or its connection is closed. */
  readonly firstAnswer: Promise<void>
  /** Starts to respond; earlier requests wait for this. */
  serve(handler: RequestListener): void
  /** Refuses new connections and closes idle ones; resolves when the last one is closed. */
  close(): Promise<void>
  /** Closes the remaining connections. */
  destroy(): void
}

/** Unusable port or address; the message names it and the fix. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly port: number
  /** URL of the sandbox that uses the port. */
  readonly sandboxUrl?: string

  constructor(
    message: string,
    { cause, port, sandboxUrl }: { cause: Error; port: number; sandboxUrl?: string | undefined },
  ) {
    super(message, { cause })
    this.port = port
    if (sandboxUrl !== undefined) this.sandboxUrl = sandboxUrl
  }
}

/** Idle connections outlive the pauses of a client that polls every minute. */
const keepAliveTimeoutMs = 72_000
const triesForACommonPort = 5
/** Interval at which a stop closes connections that have become idle. */
const sweepMs = 25

/**
 * Listens on every address with one port.
 * @throws {ListenError}
 */
export async function openListeners(options: ListenOptions): Promise<Listeners> {
  const { port, hosts, hostsAreDefault } = options
  const [first, ...further] = hosts
  if (first === undefined) throw new TypeError('there is no address to listen on')
  for (let tries = 1; ; tries++) {
    const opened: Server[] = []
    const visitors = createVisitors()
    const listenOn = async (host: string, at: number) => {
      const server = await open(options, visitors, host, at)
      opened.push(server)
      return server
    }
    try {
      const primary = await listenOn(first, port)
      const chosen = portOf(primary)
      for (const host of further) {
        await listenOn(host, chosen).catch((error: ListenError) => {
          if (!hostsAreDefault || !isMissingAddress(error.cause)) throw error
        })
      }
      return combine(primary, opened, visitors, chosen)
    } catch (error) {
      for (const server of opened) server.close()
      visitors.turnOut()
      // A port that is free on one address may be in use on the next: then another one is tried.
      const taken = (error as ListenError).cause as NodeJS.ErrnoException | undefined
      if (port === 0 && taken?.code === 'EADDRINUSE' && tries < triesForACommonPort) continue
      throw error
    }
  }
}

/** Open connections, and requests that arrived before there was a handler. */
interface Visitors {
  readonly firstAnswer: Promise<void>
  welcome(server: Server): void
  serve(handler: RequestListener): void
  turnOutSilent(): void
  turnOut(): void
}

function createVisitors(): Visitors {
  const early: Parameters<RequestListener>[] = []
  const connections = createConnections()
  let handler: RequestListener = (...parts) => void early.push(parts)
  let answered = () => {}
  const firstAnswer = new Promise<void>((resolve) => {
    answered = resolve
  })
  return {
    firstAnswer,
    welcome(server) {
      server.once('request', (_request, response) => response.once('close', answered))
      server.on('request', (...parts) => handler(...parts))
      // Unknown expectations may be ignored (RFC 9110 §10.1.1).
      server.on('checkExpectation', (...parts) => handler(...parts))
      connections.watch(server)
    },
    serve(next) {
      handler = next
      for (const parts of early.splice(0)) handler(...parts)
    },
    turnOutSilent: () => connections.endSilent(),
    turnOut: () => connections.endAll(),
  }
}

function combine(primary: Server, servers: Server[], visitors: Visitors, port: number): Listeners {
  for (const server of servers) {
    if (server === primary) continue
    server.on('upgrade', (request, socket: Socket, head) => {
      if (!primary.emit('upgrade', request, socket, head)) socket.destroy()
    })
    server.on('clientError', (error, socket) => {
      if (!primary.emit('clientError', error, socket)) socket.destroy()
    })
  }
  const listening = { port }
  listenersOfProcess().add(listening)
  return {
    port,
    primary,
    firstAnswer: visitors.firstAnswer,
    serve: (handler) => visitors.serve(handler),
    async close() {
      listenersOfProcess().delete(listening)
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
      const letIdleGo = () => {
        for (const server of servers) server.closeIdleConnections()
      }
      letIdleGo()
      // A connection becomes idle after its last response, and would be kept alive for a minute.
      const again = setInterval(() => {
        letIdleGo()
        visitors.turnOutSilent()
      }, sweepMs)
      await Promise.all(closed)
      clearInterval(again)
    },
    destroy: () => visitors.turnOut(),
  }
}

async function open(
  { certificate }: ListenOptions,
  visitors: Visitors,
  host: string,
  port: number,
): Promise<Server> {
  // The app responds to a request without `Host`, as to one with an unknown host.
  const options = { ServerResponse: SandboxResponse, requireHostHeader: false, ...headerLimit }
  const server = countHeaderLines(
    certificate === undefined
      ? http.createServer(options)
      : https.createServer({ ...options, ...certificate }),
  )
  server.keepAliveTimeout = keepAliveTimeoutMs
  // A large upload may exceed any limit for a whole request; the app ends bodies that stall.
  server.requestTimeout = 0
  visitors.welcome(server)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, resolve)
    })
  } catch (error) {
    throw await describe(error as NodeJS.ErrnoException, host, port)
  }
  // Failing to accept a connection, such as without free file descriptors, is no reason to stop.
  server.on('error', (error) => warn(`a connection could not be taken: ${error.message}`))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function isMissingAddress(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
}

async function describe(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
): Promise<ListenError> {
  const options = { cause: error, port }
  switch (error.code) {
    case 'EADDRINUSE': {
      const sandbox = await sandboxAt(host, port)
      return new ListenError(
        sandbox?.advice ??
          `Port ${port} on ${host} is in use. Choose another with --port (0 = any free one), or stop what runs there.`,
        { ...options, sandboxUrl: sandbox?.url },
      )
    }
    case 'EACCES':
      return new ListenError(
        `Port ${port} on ${host} is reserved for administrators. Choose another with --port, from 1024 up (0 = any free one).`,
        options,
      )
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
      return new ListenError(`This machine has no address ${host}. Check --host.`, options)
    default:
      return new ListenError(`Cannot listen on ${host}, port ${port}: ${error.message}`, options)
  }
}
