import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createConnections } from '../core/connections.ts'
import { headerLimit } from '../core/header-limit.ts'
import { clearInterval, setInterval } from '../core/timers.ts'
import type { NodeHandler } from './adapters/node.ts'
import { onlyOnce } from './only-once.ts'
import type { HandlerRunner } from './handler-runner.ts'

export interface ListenOptions {
  /** Default: 7860, or the next free one. A given port must be free; 0 = any. */
  port?: number
  /** Default: 127.0.0.1. With another one (`0.0.0.0` in a container) the network has access. */
  host?: string
}

export interface Listening {
  url: string
  port: number
  /** Stops accepting requests, waits for running work (5 s at most), then closes. */
  readonly close: () => Promise<void>
}

const firstPort = 7860
const portsTried = 100
const lastWorkMs = 5_000
const sweepMs = 20

/**
 * Serves on a port.
 * @returns the address, and a promise that resolves when the server is closed
 * @throws {Error} with the code EADDRINUSE if no port is free
 */
export async function listen(
  handler: NodeHandler,
  runner: HandlerRunner,
  { port, host = '127.0.0.1' }: ListenOptions,
): Promise<Listening & { closed: Promise<unknown> }> {
  const server = await bindFree(handler, port, host)
  const connections = createConnections()
  connections.watch(server)
  const closed = once(server, 'close')
  return {
    url: localUrl(server),
    port: (server.address() as AddressInfo).port,
    closed,
    close: onlyOnce(async () => {
      server.close()
      // Connections that become idle later would stay open until they time out.
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        connections.endSilent()
      }, sweepMs)
      await within(lastWorkMs, Promise.all([runner.idle(), closed]))
      clearInterval(sweep)
      runner.abort()
      server.closeAllConnections()
      await closed
    }),
  }
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}

async function bindFree(
  handler: NodeHandler,
  port: number | undefined,
  host: string,
): Promise<Server> {
  if (port !== undefined) return bind(handler, port, host)
  for (let candidate = firstPort; ; candidate += 1) {
    try {
      return await bind(handler, candidate, host)
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || candidate === firstPort + portsTried - 1) throw error
    }
  }
}

/** Returns the address for programs on this machine. */
function localUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function bind(handler: NodeHandler, port: number, host: string): Promise<Server> {
  const server = createServer(headerLimit, handler)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
