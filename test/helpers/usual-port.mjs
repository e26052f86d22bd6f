// Preloaded into everything that tests run: nothing listens at the usual port, and nothing may listen there. A sandbox
// that somebody uses meanwhile is neither seen nor reached.
import { Server, Socket } from 'node:net'

export const usualPort = 7420

/**
 * Port of a call of `connect` or `listen`, whose first argument is a port, options, or a list of all arguments.
 * @param {unknown} target
 * @returns {unknown}
 */
function portOf(target) {
  if (Array.isArray(target)) return portOf(target[0])
  return typeof target === 'object' && target !== null && 'port' in target ? target.port : target
}

/** @param {unknown[]} args */
const isUsual = ([target]) => Number(portOf(target)) === usualPort

// eslint-disable-next-line typescript/unbound-method -- called with the socket as its `this`
const { connect } = Socket.prototype
/** @type {any} */
const sockets = Socket.prototype
sockets.connect = /** @this {Socket} */ function (/** @type {unknown[]} */ ...args) {
  if (!isUsual(args)) return Reflect.apply(connect, this, args)
  const error = new Error(`connect ECONNREFUSED 127.0.0.1:${usualPort}`)
  process.nextTick(() => this.destroy(Object.assign(error, { code: 'ECONNREFUSED' })))
  return this
}

// eslint-disable-next-line typescript/unbound-method -- called with the server as its `this`
const { listen } = Server.prototype
/** @type {any} */
const servers = Server.prototype
servers.listen = /** @this {Server} */ function (/** @type {unknown[]} */ ...args) {
  if (isUsual(args)) {
    throw new Error(`A test listens on port ${usualPort}, which belongs to the user: use port 0.`)
  }
  return Reflect.apply(listen, this, args)
}
