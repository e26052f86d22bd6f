// Preloaded into a server to break it on purpose: a delivery counts as received 50 ms before it is sent.
// A test of deliveries that this server passes tests nothing.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const { request } = http

const relay = http.createServer((incoming, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    const { 'x-target': target, host: _host, ...headers } = incoming.headers
    void sleep(50).then(() =>
      request(String(target), { method: 'POST', headers, agent: false })
        .on('response', (answer) => answer.resume())
        .on('error', (error) => process.emitWarning(error))
        .end(Buffer.concat(chunks)),
    )
    response.writeHead(200, { 'Content-Length': 0 }).end()
  })
})
await new Promise((resolve) => {
  relay.listen(0, '127.0.0.1', () => resolve(undefined))
})
relay.unref()
const { port } = /** @type {import('node:net').AddressInfo} */ (relay.address())

/** @param {{ host: string, port: number, path: string, headers: Record<string, string>, createConnection?: unknown }} options */
const requestByRelay = ({ host, port: targetPort, path, createConnection: _ownWay, ...options }) =>
  request({
    ...options,
    agent: false,
    host: '127.0.0.1',
    port,
    headers: { ...options.headers, 'X-Target': `http://${host}:${targetPort}${path}` },
  })
Object.assign(http, { request: requestByRelay })
