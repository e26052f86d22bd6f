import type { Socket } from 'node:net'
import { type KeysOf, takeOptions } from '../core/arguments.ts'
import { disposedBy } from '../core/disposed-by.ts'
import { installHooks } from './hooks.ts'
import { readOrigins } from './origins.ts'
import { type Route, routesOfProcess } from './routes.ts'

declare global {
  interface SymbolConstructor {
    // The same as in the library `esnext.disposable`, which a program that does not say `using` need not have.
    readonly dispose: unique symbol
  }
}

export interface InterceptOptions {
  /** Origin that the program knows the hub by, such as `https://huggingface.co`; one or several. */
  origins: string | readonly string[]
  /** Where the sandbox listens: an address of this machine or one that it reaches. */
  to: string
  /** PEM of the certificate of a sandbox under HTTPS, where Node is not told by NODE_EXTRA_CA_CERTS. */
  ca?: string
}

export interface Interception {
  /** Requests go where they are sent again; those that are under way fail. */
  stop(): void
  [Symbol.dispose](): void
}

const optionNames = {
  origins: true,
  to: true,
  ca: true,
} as const satisfies KeysOf<InterceptOptions>

/**
 * Has every request of this process to these origins go to a sandbox: those of `fetch` and undici, `http`, `https` and
 * WebSockets, whatever agent they use. Requests to other origins are left as they are.
 * @throws {TypeError} when an origin or the address of the sandbox cannot be used, or an option is not known
 */
export function interceptRequests(options: InterceptOptions): Interception {
  const { origins, to, ca } = takeOptions('interceptRequests()', options, optionNames)
  const read = readOrigins([origins].flat())
  const [problem = read.origins.length === 0 ? 'name none' : undefined] = read.problems
  if (problem !== undefined) throw new TypeError(`the origins to intercept: ${problem}`)
  const url = readSandboxUrl(to)
  if (read.origins.some(({ origin }) => origin === url.origin)) {
    throw new TypeError(
      `${url.origin} cannot be rerouted to itself: give where the sandbox listens`,
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
      // What was kept for the next request would still lead to the sandbox.
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
    throw new TypeError(
      `the sandbox must be at an address such as http://localhost:7420, not ${text}`,
    )
  }
  return url
}
