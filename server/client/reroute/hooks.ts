import dns, { type LookupOptions } from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { type NetConnectOpts, Socket, type TcpNetConnectOpts } from 'node:net'
import tls, { type ConnectionOptions } from 'node:tls'
import workers from 'node:worker_threads'
import { ReroutedSocket } from './rerouted-socket.ts'
import { addressOfName, findRoute, findRouteOfHost, type Route, type Routes } from './routes.ts'
import { createWorker } from './threads.ts'
import { explainUnreachable, RerouteError } from './reroute-error.ts'

// Connections are taken and not requests: every client of Node ends here, its own `fetch` and each copy of undici
// with agents of their own, `http`, `https`, WebSockets and what is built on them. What they send stays as it is, so
// that the `Host` is the hub's and a redirect to the hub comes here again.

type Connect = (this: Socket, ...args: unknown[]) => Socket
type Callback = () => void

/**
 * Installs hooks into connections and name lookups of this process.
 * @returns a function that removes the hooks, unless others were added on top
 */
export function installHooks(routes: Routes): () => void {
  // eslint-disable-next-line typescript/unbound-method -- called with the socket as its `this`
  const connect = Socket.prototype.connect as Connect
  const undo = [
    replace(Socket.prototype, 'connect', createConnect(routes, connect)),
    replace(tls, 'connect', createTlsConnect(routes, tls.connect as TlsConnect)),
    replace(dns, 'lookup', createLookup(routes, dns.lookup as Lookup)),
    replace(workers, 'Worker', createWorker(routes)),
    replace(dnsPromises, 'lookup', createLookupPromise(routes, dnsPromises.lookup)),
  ]
  // Updates named imports of the functions.
  syncBuiltinESMExports()
  return () => {
    for (const step of undo.toReversed()) step()
    syncBuiltinESMExports()
  }
}

function replace<T extends object>(holder: T, key: keyof T, value: unknown): Callback {
  const original = holder[key]
  const replacement = value as T[keyof T] & object
  // For `util.promisify`.
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(replacement, symbol, {
      ...Object.getOwnPropertyDescriptor(original, symbol),
    })
  }
  holder[key] = replacement
  return () => {
    if (holder[key] === replacement) holder[key] = original
  }
}

/** Hook for plain sockets. `net.connect` also arrives here, with its arguments as one list. */
function createConnect(routes: Routes, connect: Connect): Connect {
  return function (this: Socket, ...args) {
    const [first] = args
    const { options, callback } = readArguments(Array.isArray(first) ? first : args)
    const route = findRoute(routes, endpointOf(options))
    if (route === undefined) return connect.apply(this, args)
    if (this instanceof tls.TLSSocket) {
      return fail(this, unroutable(route, 'through a TLS socket that the program created itself'))
    }
    if (route.to.protocol === 'https:') {
      return fail(this, unroutable(route, 'without TLS, because it was started with --https'))
    }
    take(this, route)
    return connect.call(this, addressOf(route), callback)
  }
}

type TlsConnect = (...args: unknown[]) => Socket

function createTlsConnect(routes: Routes, connect: TlsConnect): TlsConnect {
  return (...args) => {
    const { options, callback } = readArguments(args) as Given<ConnectionOptions>
    const route = routeOfTls(routes, options)
    if (route === undefined) return connect(...args)
    // A connection through a proxy has already left this machine: stop here.
    options.socket?.destroy()
    const socket = openTls(route, options, connect)
    if (callback !== undefined) socket.once('secureConnect', callback)
    return socket
  }
}

function openTls(route: Route, options: ConnectionOptions, connect: TlsConnect): Socket {
  const { ALPNProtocols: offered } = options
  if (Array.isArray(offered) && offered.length > 0 && !offered.includes('http/1.1')) {
    const socket = new ReroutedSocket(options)
    return fail(socket, unroutable(route, `by ${offered.join(', ')}: the sandbox speaks HTTP/1.1`))
  }
  if (route.to.protocol === 'https:') {
    const ca = route.ca === undefined ? {} : { ca: [...tls.rootCertificates, route.ca] }
    const own = { ...addressOf(route), ALPNProtocols: ['http/1.1'], servername: plainName(route) }
    return take(connect({ ...own, ...ca }), route)
  }
  const socket = take(new ReroutedSocket(options), route)
  socket.connect(addressOf(route))
  return socket
}

function take<T extends Socket>(socket: T, route: Route): T {
  explainUnreachable(socket, route)
  route.sockets.add(socket)
  socket.once('close', () => route.sockets.delete(socket))
  return socket
}

/** Uses the name, since the address may be resolved or that of a proxy. */
function routeOfTls(routes: Routes, options: ConnectionOptions): Route | undefined {
  const { servername, socket } = options
  if (socket === undefined) {
    const byHost = findRoute(routes, endpointOf(options))
    if (byHost !== undefined || servername === undefined) return byHost
    return findRoute(routes, { ...endpointOf(options), host: servername })
  }
  return findRouteOfHost(routes, servername ?? options.host ?? '')
}

function unroutable({ origin, to }: Route, what: string): RerouteError {
  return new RerouteError(
    `${origin.origin} is rerouted to the sandbox at ${to.origin} and cannot be reached ${what}.`,
  )
}

/** Fails like a connection: asynchronously, so that the caller can add its error handler first. */
function fail<T extends Socket>(socket: T, error: Error): T {
  process.nextTick(() => socket.destroy(error))
  return socket
}

function addressOf({ to }: Route): TcpNetConnectOpts {
  const port = Number(to.port) || (to.protocol === 'https:' ? 443 : 80)
  return { host: to.hostname.replace(/^\[|\]$/g, ''), port }
}

/** SNI has host names only, no IP addresses (RFC 6066 §3). */
function plainName({ to }: Route): string {
  return /^[\d.[]/.test(to.hostname) ? '' : to.hostname
}

interface Given<T> {
  options: T
  callback?: Callback
}

/** Normalizes connect arguments: `(options)`, `(port, host?, options?)` or `(path)`, each with an optional callback. */
function readArguments(args: readonly unknown[]): Given<Partial<NetConnectOpts>> {
  const callback = args.findLast((arg): arg is Callback => typeof arg === 'function')
  const objects = args.filter((arg): arg is object => typeof arg === 'object' && arg !== null)
  const [first, second] = args
  const options: Partial<TcpNetConnectOpts> = Object.assign({}, ...objects)
  if (typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))) {
    options.port = Number(first)
    if (typeof second === 'string') options.host = second
  }
  return callback === undefined ? { options } : { options, callback }
}

/** Returns port 0 for anything but a network address. */
function endpointOf(options: object): { host: string; port: number } {
  const {
    path,
    host = 'localhost',
    port,
  } = options as Partial<TcpNetConnectOpts & { path: string }>
  return typeof path === 'string' ? { host: '', port: 0 } : { host, port: Number(port) }
}

type Lookup = (
  hostname: string,
  options: unknown,
  callback?: (error: Error | null, address: unknown, family?: number) => void,
) => unknown

function createLookup(routes: Routes, lookup: Lookup): Lookup {
  return (hostname, options, callback) => {
    const found = standIn(routes, hostname, callback === undefined ? {} : options)
    if (found === undefined) return lookup(hostname, options, callback)
    const answer = (callback ?? options) as NonNullable<typeof callback>
    const isList = Array.isArray(found)
    process.nextTick(() =>
      isList ? answer(null, found) : answer(null, found.address, found.family),
    )
    return {}
  }
}

function createLookupPromise(routes: Routes, lookup: typeof dnsPromises.lookup) {
  return async (hostname: string, options: LookupOptions = {}) =>
    standIn(routes, hostname, options) ?? (await lookup(hostname, options))
}

interface Found {
  address: string
  family: number
}

/** Answers the lookup of an intercepted name without a name server. */
function standIn(routes: Routes, hostname: unknown, options: unknown): Found | Found[] | undefined {
  if (typeof hostname !== 'string' || findRouteOfHost(routes, hostname) === undefined) {
    return undefined
  }
  const { family, all } = (
    typeof options === 'number' ? { family: options } : (options ?? {})
  ) as LookupOptions
  const address = addressOfName(routes, hostname)
  const found =
    family === 6 || family === 'IPv6'
      ? { address: `::ffff:${address}`, family: 6 }
      : { address, family: 4 }
  return all === true ? [found] : found
}
