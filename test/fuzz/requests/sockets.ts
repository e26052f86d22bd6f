import { once } from 'node:events'
import { connect } from 'node:net'
import * as fc from 'fast-check'
import type { RunningSandbox } from '../../../server/app/run-sandbox.ts'
import { text } from '../inputs.ts'
import { must } from '../target.ts'

const pieces = text(
  'GET /_sandbox/health HTTP/1.1\r\n',
  'POST /oauth/token HTTP/1.1\r\n',
  'OPTIONS * HTTP/1.1\r\n',
  'GET http://localhost/oauth/jwks HTTP/1.1\r\n',
  'CONNECT huggingface.co:443 HTTP/1.1\r\n',
  'GET /_sandbox/live HTTP/1.1\r\n',
  'Host: localhost\r\n',
  'Connection: upgrade\r\n',
  'Upgrade: websocket\r\n',
  'Upgrade: h2c\r\n',
  'Sec-WebSocket-Version: 13\r\n',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Expect: 100-continue\r\n',
  'Content-Type: application/json\r\n',
  'ffffffffffffffff\r\n',
  '\x81\x85',
  '\r\n',
)

/** Bytes of a connection, HTTP or not. */
export const connections = fc.array(pieces, { minLength: 1, maxLength: 4 })

/** A server that waits for more is left after it. */
const patienceMs = 250

/** Writes to a connection of its own what may be no request at all. */
export async function playConnection(
  { app, localUrl }: RunningSandbox,
  parts: readonly string[],
): Promise<void> {
  const socket = connect(Number(new URL(localUrl).port), 'localhost')
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
  // A server may cut what it does not understand.
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  for (const part of parts) socket.write(Buffer.from(part, 'utf8'))
  socket.end()
  socket.setTimeout(patienceMs, () => socket.destroy())
  await closed.catch(() => undefined)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  must(status < 500 || status === 501, `is answered ${answer.slice(0, 500)}`)
  must((await app.inject('/_sandbox/health')).statusCode === 200, 'is the end of the sandbox')
}
