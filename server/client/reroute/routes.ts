import type { Socket } from 'node:net'
import { belongsTo, plainHost, type RoutedOrigin } from '../../core/routed-origins.ts'

/** Origin and the sandbox that replaces it. */
export interface Route {
  readonly origin: RoutedOrigin
  /** URL at which the sandbox listens. */
  readonly to: URL
  /** Additional trusted certificate of the sandbox, PEM. */
  readonly ca?: string
  /** Open connections: clients keep them alive. */
  readonly sockets: Set<Socket>
}

/** Routes of this process. */
export interface Routes {
  readonly list: Set<Route>
  /**
   * Addresses returned for lookups of the host names. They belong to this machine, so that
   * a connection that escapes the hooks goes nowhere else.
   */
  readonly addresses: Map<string, string>
  /** Removes the hooks. */
  uninstall?: () => void
}

const key = Symbol.for('hub-sandbox.routes')
const holder = globalThis as { [key]?: Routes }

/**
 * Returns the routes of this process, shared by all copies of this module: a program may have it as an ES module,
 * as CommonJS and within the library, and stacked hooks could never be removed.
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

/** Returns the IPv4 address that represents the name of a route. */
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
