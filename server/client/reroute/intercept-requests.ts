import type { Socket } from 'node:net'
import { type KeysOf, takeOptions } from '../../core/arguments.ts'
import { disposedBy } from '../../core/disposed-by.ts'
import { installHooks } from './hooks.ts'
import { readOrigins } from '../../core/routed-origins.ts'
import { type Route, routesOfProcess } from './routes.ts'

declare global {
  interface SymbolConstructor {
    // Same as in the library `esnext.disposable`, which a program without `using` may lack.
    readonly dispose: unique symbol
  }
}

export interface InterceptOptions {
  /** Origin or origins of the hub in the program, such as `https://huggingface.co`. */
  origins: string | readonly string[]
  /** URL at which the sandbox listens. */
  to: string
  /** PEM of the certificate of an HTTPS sandbox, unless NODE_EXTRA_CA_CERTS has it. */
  ca?: string
}

export interface Interception {
  /** Stops rerouting; requests in flight fail. */
  stop(): void
  [Symbol.dispose](): void
}

const optionNames = {
  origins: true,
  to: true,
  ca: true,
} as const satisfies KeysOf<InterceptOptions>

/**
 * Reroutes every request of this process to these origins to a sandbox: those of `fetch` and undici, `http`, `https` and
 * WebSockets, with any agent. Other requests are not affected.
 * @throws {TypeError} for an invalid origin or sandbox URL, or an unknown option
 */
export function interceptRequests(options: InterceptOptions): Interception {
  const { origins, to, ca } = takeOptions('interceptRequests()', options, optionNames)
  const read = readOrigins([origins].flat())
  const [problem = read.origins.length === 0 ? 'name none' : undefined] = read.problems
  if (problem !== undefined) throw new TypeError(`the origins to intercept: ${problem}`)
  const url = readSandboxUrl(to)
  if (read.origins.some(({ origin }) => origin === url.origin)) {
    throw new TypeError(
      `cannot reroute ${url.origin} to itself: use the URL at which the sandbox listens`,
    )
  }
  const routes = routesOfProcess()
  const own = read.origins.map((origin): Route => {
    const route = { origin, to: url, sockets: new Set<Socket>() }
    return ca === undefined ? route : { ...route, ca }
  })
  for (const route of own) routes.list.add(route)
  routes.uninstall ??= installHooks(routes)
  const stop = () => {
    for (const route of own) {
      routes.list.delete(route)
      // Kept-alive connections would still go to the sandbox.
      for (const socket of route.sockets) socket.destroy()
    }
    if (routes.list.size > 0) return
    routes.uninstall?.()
    delete routes.uninstall
  }
  return { stop, ...disposedBy(Symbol.dispose, stop) }
}

/** @throws {TypeError} */
function readSandboxUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`the URL of the sandbox must be like http://localhost:7420, not ${text}`)
  }
  return url
}
