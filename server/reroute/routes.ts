import type { Socket } from 'node:net'
import { belongsTo, plainHost, type RoutedOrigin } from './origins.ts'

/** One origin and the sandbox that stands in for it. */
export interface Route {
  readonly origin: RoutedOrigin
  /** Where the sandbox listens. */
  readonly to: URL
  /** PEM that its certificate is checked by, beside what Node trusts already. */
  readonly ca?: string
  /** Connections that were made by it: clients keep them for further requests. */
  readonly sockets: Set<Socket>
}

/** What is rerouted in this process. */
export interface Routes {
  readonly list: Set<Route>
  /**
   * Addresses that stand for the host names when a program looks them up by itself. They are of this machine, so that
   * a connection that nobody sees leads nowhere else.
   */
  readonly addresses: Map<string, string>
  /** Takes the hooks out again. */
  uninstall?: () => void
}

const key = Symbol.for('hub-sandbox.routes')
const holder = globalThis as { [key]?: Routes }

/**
 * The routes of this process. They are shared by all copies of this module, which a program may have as an ES module,
 * as CommonJS and within the library: hooks that sit upon hooks could never be taken out again.
 */
export function routesOfProcess(): Routes {
  return (holder[key] ??= { list: new Set(), addresses: new Map() })
}

export interface ConnectTarget {
  /** Name or address. */
  host: string
  port: number
}

/** @returns the route of a connection, whichever way its host is written */
export function findRoute(
  { list, addresses }: Routes,
  { host, port }: ConnectTarget,
): Route | undefined {
  const name = nameOfAddress(addresses, host) ?? host
  return [...list].find(({ origin }) => belongsTo(origin, { host: name, port }))
}

/** @returns a route of this host, whatever the port is */
export function findRouteOfHost({ list }: Routes, host: string): Route | undefined {
  return [...list].find(({ origin }) => origin.host === plainHost(host))
}

/** The address that stands for the name of a route, of IPv4. */
export function addressOfName({ addresses }: Routes, host: string): string {
  const name = plainHost(host)
  const known = addresses.get(name)
  if (known !== undefined) return known
  const count = addresses.size + 1
  const address = `127.84.${count >> 8}.${count & 255}`
  addresses.set(name, address)
  return address
}

function nameOfAddress(addresses: ReadonlyMap<string, string>, host: string): string | undefined {
  const plain = host.replace(/^::ffff:/i, '')
  return [...addresses].find(([, address]) => address === plain)?.[0]
}
