// Receiver of webhooks that responds at once.
import http from 'node:http'
import { ready } from './child.mjs'

let received = 0
let firstAt = 0
/** @type {{ count: number, reached: () => void } | undefined} */
let awaited

const server = http.createServer((request, response) => {
  request.resume()
  if (received === 0) firstAt = performance.now()
  received += 1
  if (received === awaited?.count) awaited.reached()
  response.writeHead(200, { 'Content-Length': 0 }).end()
})

/**
 * Counts requests from now on.
 * @param {number} count
 * @returns {Promise<number>} milliseconds from the first request to the last of so many
 */
function expect(count) {
  received = 0
  return new Promise((resolve) => {
    awaited = { count, reached: () => resolve(performance.now() - firstAt) }
  })
}

const agent = new http.Agent({ keepAlive: true })

/**
 * @param {{ url: string, body: object }} trigger
 * @returns {Promise<void>}
 */
function post({ url, body }) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      agent,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 202) resolve()
        else reject(new Error(`${url} responded with ${response.statusCode}`))
      })
    })
    request.end(JSON.stringify(body))
  })
}

/**
 * Causes events one at a time, each after the delivery of the previous one.
 * @param {{ url: string, body: object, times: number, pauseMs: number }} trigger
 * @returns {Promise<number[]>} milliseconds from sending the trigger to the arrival of the delivery
 */
async function latencies(trigger) {
  const measured = []
  for (let round = 0; round < trigger.times; round++) {
    const arrival = expect(1)
    const started = performance.now()
    const answered = post(trigger)
    await arrival
    measured.push(firstAt - started)
    await answered
    await new Promise((resolve) => setTimeout(resolve, trigger.pauseMs))
  }
  return measured
}

server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  ready(`http://127.0.0.1:${address.port}`, { expect, latencies })
})
