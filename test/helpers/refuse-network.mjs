// For `node --import`, before anything that reroutes: refuses every connection and look-up beyond this machine, and
// writes each down as a line of REFUSED_NETWORK_LOG, so that a program which takes a refusal for an answer is seen.
import { appendFileSync } from 'node:fs'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

const isHere = (/** @type {string} */ host) =>
  /^(localhost|.*\.localhost|127\.[\d.]+|::1|::ffff:127\.[\d.]+)$/.test(host)

/** @param {string} what */
function refuse(what) {
  const log = process.env['REFUSED_NETWORK_LOG']
  if (log !== undefined) appendFileSync(log, `${what}\n`)
  return Object.assign(new Error(`refused beyond this machine: ${what}`), { code: 'EREFUSED' })
}

// eslint-disable-next-line typescript/unbound-method -- called with the socket as its `this`
const { connect } = Socket.prototype
/** @type {any} */
const prototype = Socket.prototype
prototype.connect = /** @this {Socket} */ function (/** @type {any[]} */ ...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  const isList = typeof first === 'object'
  const host = (isList ? first.host : second) ?? 'localhost'
  if (!(isList && typeof first.path === 'string') && !isHere(String(host))) {
    process.nextTick(() => this.destroy(refuse(String(host))))
    return this
  }
  return Reflect.apply(connect, this, args)
}

const { lookup } = dns
/** @type {any} */
const names = dns
names.lookup = (/** @type {any[]} */ ...args) => {
  if (isHere(String(args[0]))) return Reflect.apply(lookup, dns, args)
  process.nextTick(args.at(-1), refuse(String(args[0])))
  return {}
}
syncBuiltinESMExports()
