// A receiver as a process of its own: tells its parent its address, then of each delivery.
import { createServer } from 'node:http'

/** @param {unknown} message */
const tell = (message) => process.send?.(message)

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text) => (body += text))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"processed":true}')
    tell({ secret: request.headers['x-webhook-secret'], body })
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object')
    tell({ url: `http://127.0.0.1:${address?.port}/webhooks/events` })
})
process.on('disconnect', () => process.exit())
