import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { serve } from '../helpers/json-receiver.ts'

const lines = (count: number) => 'a:\r\n'.repeat(count)
const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
const webSocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const hidden = 'GET /oauth/jwks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

/** Everything that a server sends back to these bytes. */
async function answerTo(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const answer = text(socket)
  socket.write(bytes)
  return answer
}

const post = (headers: string, path = '/oauth/token') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${hidden.length}\r\n\r\n${hidden}`

describe('a request with more header lines than the limit', () => {
  test.each([
    ['that offers another protocol', offer, '/oauth/token'],
    ['that asks for a WebSocket', webSocket, '/_sandbox/live'],
    ['of the hub API', 'Connection: close\r\n', '/api/repos/create'],
    ['of the control API', 'Connection: close\r\n', '/_sandbox/api/reset'],
  ])('%s is refused, and its body is not read as a second request', async (_, first, path) => {
    const sandbox = await startTestSandbox()
    const answer = await answerTo(sandbox.url, post(first + lines(2_100), path))
    expect(answer).toMatch(/^HTTP\/1\.1 431 [^]*more than 2000 header lines/)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    if (path.startsWith('/_sandbox')) return
    expect((await sandbox.requests()).map((item) => [item.path, item.status])).toEqual([
      [path, 431],
    ])
  })

  test('cannot hide the origin of the page that sent it', async () => {
    const { url } = await startTestSandbox()
    const request = `GET /api/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines(2_100)}Origin: https://evil.test\r\n\r\n`
    expect(await answerTo(url, request)).toMatch(/^HTTP\/1\.1 431 /)
  })

  test('is not forwarded by a link', async () => {
    const heard: string[] = []
    const target = await serve((request, response) => {
      heard.push(`${request.method} ${request.url}`)
      request.resume()
      response.end()
    })
    const sandbox = await startTestSandbox()
    const { url } = await sandbox.control<{ url: string }>('POST', 'links', { target })
    const request = post(`Connection: close\r\n${lines(2_100)}`).replace('POST', 'GET')
    expect(await answerTo(url, request)).toMatch(/^HTTP\/1\.1 431 /)
    expect(heard).toEqual([])
  })
})

test('a request with as many header lines as the limit is served completely', async () => {
  const { url } = await startTestSandbox()
  const body = 'grant_type=none'
  const headers = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n${lines(1_990)}`
  const request =
    `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\n${headers}` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  expect(await answerTo(url, request + hidden)).toMatch(
    /^HTTP\/1\.1 400 [^]*unsupported_grant_type[^]*HTTP\/1\.1 200 [^]*"keys"/,
  )
})
