import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { postDelivery } from '../../../../server/web/outgoing/post-delivery.ts'
import type { OutgoingRequest } from '../../../../server/web/outgoing/wire.ts'
import type { TargetPolicy } from '../../../../server/web/outgoing/target-policy.ts'
import { hasIpv6 } from '../../../helpers/has-ipv6.ts'
import {
  atEnd,
  loopbackOnly,
  startRawReceiver,
  startReceiver,
} from '../../../helpers/webhook-world.ts'

function send(
  changes: Partial<OutgoingRequest> & { url: string },
  policy: Partial<TargetPolicy> = {},
) {
  const request = { headers: [], body: '{}', deadlineMs: 2000, connectTimeoutMs: 1000, ...changes }
  return postDelivery(request, { ...loopbackOnly, ...policy })
}

function attempt(
  changes: Partial<OutgoingRequest> & { url: string },
  policy: Partial<TargetPolicy> = {},
) {
  return send(changes, policy).result
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

describe('a delivery attempt', () => {
  test('records status, headers in order with duplicates, and body', async () => {
    const { url } = await startRawReceiver((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 201 Created\r\nB: 1\r\na: 2\r\nB: 3\r\nContent-Length: 3\r\n\r\nyes'),
      ),
    )
    const result = await attempt({ url })
    expect(result).toMatchObject({
      status: 201,
      response: {
        headers: [
          ['B', '1'],
          ['a', '2'],
          ['B', '3'],
          ['Content-Length', '3'],
        ],
        body: 'yes',
        encoding: 'utf-8',
        size: 3,
        truncated: false,
      },
    })
    expect(result.error).toBeUndefined()
    expect(Object.keys(result.timings)).toEqual(['dnsMs', 'connectMs', 'waitMs', 'readMs'])
  })

  test('opens a new connection, so a receiver that closes after each response is no error', async () => {
    let connections = 0
    const { url } = await startRawReceiver((socket) => {
      connections++
      socket.once('data', () => socket.end(ok))
    })
    for (let count = 0; count < 20; count++) {
      expect((await attempt({ url })).error).toBeUndefined()
    }
    expect(connections).toBe(20)
  })

  test.each([204, 299])('counts %i as success', async (status) => {
    const { url } = await startReceiver((_request, response) => response.writeHead(status).end())
    expect(await attempt({ url })).toMatchObject({ status })
    expect(await attempt({ url })).not.toHaveProperty('error')
  })

  test.each([
    [300, 'http_status'],
    [404, 'http_status'],
    [503, 'http_status'],
  ])('counts %i as %s', async (status, errorClass) => {
    const { url } = await startReceiver((_request, response) => response.writeHead(status).end())
    expect(await attempt({ url })).toMatchObject({ status, error: { class: errorClass } })
  })

  test.each([301, 302, 303, 307, 308])(
    'does not follow a %i, and does not forward the secret',
    async (status) => {
      const elsewhere = await startReceiver()
      const { url } = await startReceiver((_request, response) =>
        response.writeHead(status, { Location: elsewhere.url }).end(),
      )
      expect(await attempt({ url, headers: [['X-Webhook-Secret', 's']] })).toMatchObject({
        status,
        error: {
          class: 'redirect',
          message: `responded with ${status}, a redirect to ${elsewhere.url}`,
        },
      })
      expect(elsewhere.received).toEqual([])
    },
  )
})

describe('a faulty receiver', () => {
  test('that hangs is ended by the deadline', async () => {
    const { url } = await startRawReceiver(() => {})
    const result = await attempt({ url, deadlineMs: 150 })
    expect(result).toMatchObject({
      error: { class: 'timeout', message: 'no response within 150ms' },
    })
    expect(result.durationMs).toBeLessThan(1000)
  })

  test('that drips bytes does not extend the deadline', async () => {
    const { url } = await startRawReceiver((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        const timer = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(timer))
      })
    })
    const result = await attempt({ url, deadlineMs: 250 })
    expect(result).toMatchObject({ status: 200, error: { class: 'timeout' } })
    expect(result.durationMs).toBeLessThan(1000)
    expect(result.response?.body).toMatch(/^x+$/)
  })

  test('that drips headers is ended by the deadline', async () => {
    const { url } = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('X: y\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    expect(await attempt({ url, deadlineMs: 250 })).toMatchObject({ error: { class: 'timeout' } })
  })

  test('that resets the connection is reported', async () => {
    const { url } = await startRawReceiver((socket) => socket.resetAndDestroy())
    expect(await attempt({ url })).toMatchObject({ error: { class: 'connection_reset' } })
  })

  test('that closes without a response is reported', async () => {
    const { url } = await startRawReceiver((socket) => socket.once('data', () => socket.end()))
    expect(await attempt({ url })).toMatchObject({ error: { class: 'connection_reset' } })
  })

  const answers = (answer: string) =>
    startRawReceiver((socket) => socket.once('data', () => socket.end(answer)))

  test.each([
    ['is cut', '200 OK\r\nContent-Length: 100\r\n\r\nhalf', 'half'],
    ['is longer than it says', '200 OK\r\nContent-Length: 4\r\n\r\nhalf and more', 'half'],
    ['is cut between chunks', '200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'half'],
    [
      'is wrongly chunked',
      '200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nno size\r\n',
      'half',
    ],
    ['is wrongly chunked at once', '200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnone', ''],
    ['follows a 204', '204 No Content\r\n\r\n{"processed":true}', ''],
    ['follows a 204 that gives its length', '204 No Content\r\nContent-Length: 4\r\n\r\nhalf', ''],
  ])('that sends a body that %s: the status decides, with a note', async (_what, answer, body) => {
    const { url } = await answers(`HTTP/1.1 ${answer}`)
    const result = await attempt({ url })
    expect(result).not.toHaveProperty('error')
    expect(result).toMatchObject({
      status: Number(answer.slice(0, 3)),
      note: expect.stringContaining('incomplete or malformed'),
      response: { body },
    })
  })

  test('that truncates the body of an error: the status decides as well', async () => {
    const { url } = await answers('HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\nhalf')
    expect(await attempt({ url })).toMatchObject({ status: 500, error: { class: 'http_status' } })
  })

  test('that resets the connection within the body of a 200: a success', async () => {
    const { url } = await startRawReceiver((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () =>
          socket.resetAndDestroy(),
        ),
      ),
    )
    expect(await attempt({ url })).not.toHaveProperty('error')
  })

  test('that sends garbage is reported', async () => {
    const { url } = await startRawReceiver((socket) =>
      socket.once('data', () => socket.end('SSH-2.0\r\n')),
    )
    expect(await attempt({ url })).toMatchObject({ error: { class: 'protocol_error' } })
  })

  test('that switches protocols is reported', async () => {
    const { url } = await startRawReceiver((socket) =>
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
        ),
      ),
    )
    expect(await attempt({ url })).toMatchObject({ status: 101, error: { class: 'http_status' } })
  })

  test('that returns 200 MB: 128 KiB are kept, the rest is not read, and it is a success', async () => {
    const size = 200 * 1024 * 1024
    let written = 0
    const { url } = await startRawReceiver((socket) =>
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
        const chunk = Buffer.alloc(64 * 1024, 'a')
        const pour = () => {
          while (!socket.destroyed && written < size) {
            written += chunk.length
            if (!socket.write(chunk)) return
          }
        }
        socket.on('drain', pour)
        pour()
      }),
    )
    const before = process.memoryUsage().arrayBuffers
    const result = await attempt({ url })
    expect(result.error).toBeUndefined()
    expect(result.response).toMatchObject({ size, truncated: true, encoding: 'utf-8' })
    expect(result.response?.body).toHaveLength(128 * 1024)
    expect(written).toBeLessThan(20 * 1024 * 1024)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024)
  })

  test('that returns a gzip bomb: it is kept as received, never decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const { url, received } = await startReceiver((_request, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    )
    const { response, error } = await attempt({ url })
    expect(error).toBeUndefined()
    expect(response).toMatchObject({ encoding: 'base64', size: bomb.length, truncated: false })
    expect(Buffer.from(response?.body ?? '', 'base64').equals(bomb)).toBe(true)
    expect(received[0]?.headers['accept-encoding']).toBeUndefined()
  })

  test('that returns a long body has it cut between characters', async () => {
    const { url } = await startReceiver((_request, response) =>
      response.end('é'.repeat(100_000) + 'x'),
    )
    const { response } = await attempt({ url })
    expect(response).toMatchObject({ encoding: 'utf-8', truncated: true })
    expect(response?.body).toMatch(/^é+$/)
  })

  test('that sends too many headers: still a success', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `X-${index}: ${'v'.repeat(90)}`)
    const { url } = await startRawReceiver((socket) =>
      socket.once('data', () =>
        socket.end(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`),
      ),
    )
    const { response, error } = await attempt({ url })
    expect(error).toBeUndefined()
    expect(response?.headers.length).toBeGreaterThan(50)
    expect(response?.headers.length).toBeLessThanOrEqual(100)
  })
})

describe('targets of attempts', () => {
  test('a closed port is reported', async () => {
    const { url, server } = await startReceiver()
    server.close()
    await once(server, 'close')
    expect(await attempt({ url })).toMatchObject({
      error: { class: 'connection_refused', message: expect.stringContaining('ECONNREFUSED') },
    })
  })

  test('*.localhost is reached without DNS', async () => {
    const { port, received } = await startReceiver()
    const result = await attempt({ url: `http://hooks.app.localhost:${port}/x` })
    expect(result.error).toBeUndefined()
    expect(received[0]?.headers.host).toBe(`hooks.app.localhost:${port}`)
  })

  test('the request head names the receiver and closes the connection', async () => {
    let wire = ''
    const { url } = await startRawReceiver((socket) =>
      socket.on('data', (chunk) => {
        wire += chunk.toString()
        if (wire.endsWith('{}')) socket.write(ok)
      }),
    )
    const { port } = new URL(url)
    const result = await attempt({
      url: `http://user:p%20w@127.0.0.1:${port}/hook?x=%2f`,
      headers: [['Webhook-Id', 'w1']],
    })
    expect(result).toMatchObject({ status: 200 })
    expect(wire.split('\r\n')).toEqual([
      'POST /hook?x=%2f HTTP/1.1',
      'Webhook-Id: w1',
      'Content-Length: 2',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Basic ${btoa('user:p w')}`,
      'Connection: close',
      '',
      '{}',
    ])
  })

  test.each([
    ['a%zz:b', 'a%zz:b'],
    [':pw', ':pw'],
    ['user', 'user:'],
  ])('the credentials %s of a URL are sent', async (inUrl, sent) => {
    const receiver = await startReceiver()
    const result = await attempt({ url: receiver.url.replace('//', `//${inUrl}@`) })
    expect(result.status).toBe(200)
    expect(receiver.received[0]?.headers.authorization).toBe(`Basic ${btoa(sent)}`)
  })

  test('IPv6 is reached, with brackets in Host', async ({ skip }) => {
    skip(!(await hasIpv6()), 'the machine has no IPv6')
    const server = createServer((request, response) => response.end(request.headers.host))
    atEnd(() => server.close())
    server.listen(0, '::1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { response } = await attempt({ url: `http://[::1]:${port}/` })
    expect(response?.body).toBe(`[::1]:${port}`)
  })

  test('the next IP address of a host is used if the first refuses', async () => {
    const { port } = await startReceiver()
    const result = await attempt(
      { url: `http://both.test:${port}/` },
      {
        resolve: async () => [
          { address: '127.0.0.9', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ],
      },
    )
    expect(result.error).toBeUndefined()
  })

  test('an unknown host is reported', async () => {
    const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    expect(
      await attempt({ url: 'http://nowhere.test/' }, { resolve: () => Promise.reject(missing) }),
    ).toMatchObject({ error: { class: 'dns_error' } })
  })

  test('a DNS server that never responds is given up', async () => {
    const result = await attempt(
      { url: 'http://slow.test/', deadlineMs: 100 },
      { resolve: () => new Promise(() => {}) },
    )
    expect(result).toMatchObject({
      error: { class: 'timeout' },
      timings: { dnsMs: expect.any(Number) },
    })
  })

  test('the checked IP address is used without a second DNS lookup', async () => {
    const { port, received } = await startReceiver()
    let asked = 0
    await attempt(
      { url: `http://rebinding.test:${port}/` },
      {
        resolve: async () => {
          asked++
          return [{ address: '127.0.0.1', family: 4 }]
        },
      },
    )
    expect(asked).toBe(1)
    expect(received).toHaveLength(1)
  })

  test('public addresses and sandboxes are refused', async () => {
    expect(await attempt({ url: 'http://8.8.8.8/' })).toMatchObject({
      error: { class: 'blocked_target', message: expect.stringContaining('--allow-network') },
    })
    const { url, port } = await startReceiver()
    expect(await attempt({ url }, { ownPorts: () => [port] })).toMatchObject({
      error: {
        class: 'blocked_target',
        message: expect.stringContaining('belongs to this sandbox'),
      },
    })
  })

  test('a slow body arrives in pieces, whole', async () => {
    const pieces: number[] = []
    const { url, received, server } = await startReceiver()
    server.on('request', (request: IncomingMessage) =>
      request.on('data', (piece: Buffer) => pieces.push(piece.length)),
    )
    const body = JSON.stringify({ text: 'ä'.repeat(50) })
    const result = await attempt({ url, body, pace: { kind: 'slow', overMs: 200 } })
    expect(result.error).toBeUndefined()
    expect(received[0]?.body).toBe(body)
    expect(pieces.length).toBeGreaterThan(4)
    expect(Object.keys(result.timings)).toEqual([
      'dnsMs',
      'connectMs',
      'sendMs',
      'waitMs',
      'readMs',
    ])
    expect(result.timings.sendMs).toBeGreaterThan(150)
  })

  test('half of a body is sent once, and never counts as a success', async () => {
    let got = ''
    const { url } = await startRawReceiver((socket) =>
      socket.setEncoding('latin1').on('data', (text: string) => {
        got += text
        if (got.endsWith('\r\n\r\n01234')) socket.write(ok)
      }),
    )
    const result = await attempt({ url, body: '0123456789', pace: { kind: 'half' } })
    expect(got).toMatch(/content-length: 10\r\n/i)
    expect(result).toMatchObject({
      status: 200,
      error: { class: 'sender_fault' },
      note: expect.stringContaining('first half'),
    })
    expect(result.timings).not.toHaveProperty('waitMs')
    const silent = await startRawReceiver(() => {})
    const ended = await attempt({
      url: silent.url,
      body: '0123456789',
      pace: { kind: 'half' },
      deadlineMs: 150,
    })
    expect(ended.error).toEqual({ class: 'timeout', message: 'no response within 150ms' })
  })

  test('an attempt ends at once when aborted', async () => {
    const { url } = await startRawReceiver(() => {})
    const sending = send({ url })
    sending.abort({ class: 'aborted_by_shutdown', message: 'stop' })
    expect(await sending.result).toMatchObject({ error: { class: 'aborted_by_shutdown' } })
  })
})

describe('TLS', () => {
  async function startTlsReceiver() {
    const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
      keySize: 2048,
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    })
    const server = createTlsServer({ key: pems.private, cert: pems.cert }, (_request, response) =>
      response.end('ok'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(() => server.close())
    const { port } = server.address() as AddressInfo
    return { url: `https://localhost:${port}/`, ca: pems.cert, port }
  }

  test('certificates are verified unless switched off', async () => {
    const { url, ca, port } = await startTlsReceiver()
    expect(await attempt({ url })).toMatchObject({ error: { class: 'tls_error' } })
    expect(await attempt({ url, acceptSelfSigned: true })).not.toHaveProperty('error')
    const trusted = await attempt({ url, ca })
    expect(trusted).not.toHaveProperty('error')
    expect(Object.keys(trusted.timings)).toEqual([
      'dnsMs',
      'connectMs',
      'tlsMs',
      'waitMs',
      'readMs',
    ])
    expect(await attempt({ url: `https://127.0.0.1:${port}/`, ca })).toMatchObject({
      error: { class: 'tls_error' },
    })
  })

  test('plain HTTP on a TLS port is reported, and the reverse', async () => {
    const plain = await startReceiver()
    expect(await attempt({ url: plain.url.replace('http:', 'https:') })).toMatchObject({
      error: { class: 'tls_error' },
    })
    const { url } = await startTlsReceiver()
    const { error } = await attempt({ url: url.replace('https:', 'http:') })
    expect(['connection_reset', 'protocol_error']).toContain(error?.class)
  })
})
