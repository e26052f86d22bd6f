import { type LookupFunction, Socket } from 'node:net'
import { isLoopbackHost } from '../../server/core/loopback.ts'

interface Target {
  host?: string
  /** Path of a socket file; null = none. */
  path?: string | null
  lookup?: LookupFunction
}

/** Hosts that a test tried to connect to. Loaded once: a second time would wrap the sockets again. */
export const attempts: string[] = []
// eslint-disable-next-line typescript/unbound-method -- called with the socket as its `this`
const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket

function refuse(host: string): Error {
  attempts.push(host)
  return new Error(`unit tests reach nothing but this machine: ${host}`)
}

/** The same lookup; what it answers must be this machine. */
function checked(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      const addresses = typeof address === 'string' ? [{ address }] : address
      const far = error === null && addresses.find((each) => !isLoopbackHost(each.address))
      callback(far ? refuse(far.address) : error, address, family)
    })
  }
}

/** @returns the arguments with a lookup that is checked, where they bring one */
function checkTarget([first, second, ...rest]: unknown[]): unknown[] {
  if (typeof first === 'object' && first !== null) {
    const { host = 'localhost', path, lookup }: Target = first
    if (lookup !== undefined) return [{ ...first, lookup: checked(lookup) }, second, ...rest]
    if (typeof path !== 'string' && !isLoopbackHost(host)) throw refuse(host)
  } else if (typeof second === 'string' && !isLoopbackHost(second)) {
    throw refuse(second)
  }
  return [first, second, ...rest]
}

Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [first] = args
  // `net.connect` hands on its arguments as one list, which it has marked as its own.
  if (!Array.isArray(first)) return connect.apply(this, checkTarget(args))
  first.splice(0, first.length, ...checkTarget(first))
  return connect.call(this, first)
}
