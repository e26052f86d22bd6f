// Sends a body to a receiver, with the HTTP client that deliveries use.
import http from 'node:http'
import { ready } from './child.mjs'

/**
 * @param {string} url
 * @param {string} body
 * @returns {Promise<void>}
 */
function send(url, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      agent: false,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      response.resume()
      response.on('end', resolve)
    })
    request.end(body)
  })
}

/** @param {{ url: string, body: string, count: number, concurrency: number }} work */
async function sendMany({ url, body, count, concurrency }) {
  let left = count
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await send(url, body)
    }),
  )
}

/** Sends the body of each request to the receiver, and responds at once. */
const server = http.createServer((request, response) => {
  const chunks = /** @type {Buffer[]} */ ([])
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { url, body } = JSON.parse(Buffer.concat(chunks).toString())
    void send(url, body)
    response.writeHead(202, { 'Content-Length': 0 }).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  ready(`http://127.0.0.1:${address.port}`, { sendMany })
})
