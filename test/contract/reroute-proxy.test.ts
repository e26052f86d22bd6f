import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http, { createServer, type IncomingMessage } from 'node:http'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { readOrigins } from '../../server/core/routed-origins.ts'
import { openProxy, type Proxy } from '../../server/client/reroute/proxy/open-proxy.ts'
import type { ProxyOptions } from '../../server/client/reroute/proxy/proxy-gate.ts'
import { type Certificate, makeCertificate } from '../../server/app/certificate.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { serve } from '../helpers/json-receiver.ts'

let certificate: Certificate
beforeAll(async () => {
  certificate = await makeCertificate(['hub.invalid'])
})

async function startProxy(sandbox: string, options: Partial<ProxyOptions> = {}): Promise<Proxy> {
  const proxy = await openProxy({
    origins: readOrigins(['https://hub.invalid']).origins,
    sandbox: new URL(sandbox),
    certificate,
    allowNetwork: false,
    resolve: () => Promise.reject(new Error('no name is looked up')),
    ...options,
  })
  onTestFinished(() => proxy.close())
  return proxy
}

async function startHub() {
  // Not `intercept`: that would lead the connections of this very process past the proxy.
  const { url } = await startTestSandbox({ allowHost: 'hub.invalid' })
  return { url, proxy: await startProxy(url) }
}

const open = ({ url }: Proxy): Socket => {
  const socket = connectPlain(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** All that comes back until the other side is done. */
async function said(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

/** Returns the response of the proxy to these bytes. */
async function answerTo(proxy: Proxy, bytes: string): Promise<string> {
  const socket = open(proxy)
  socket.write(bytes)
  return said(socket)
}

async function tunnel(proxy: Proxy, authority: string): Promise<Socket> {
  const { port } = new URL(proxy.url)
  const request = http.request({ host: '127.0.0.1', port, method: 'CONNECT', path: authority })
  request.end()
  const [answer, socket] = (await once(request, 'connect')) as [IncomingMessage, Socket]
  onTestFinished(() => void socket.destroy())
  expect(answer.statusCode).toBe(200)
  return socket
}

async function secureTunnel(proxy: Proxy): Promise<TLSSocket> {
  const socket = await tunnel(proxy, 'hub.invalid:443')
  const secure = connectTls({ socket, servername: 'hub.invalid', ca: certificate.cert })
  secure.on('error', () => undefined)
  await once(secure, 'secureConnect')
  return secure
}

const get = (path: string, host = 'hub.invalid', further = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${further}\r\n`

async function securely(proxy: Proxy, bytes: string): Promise<string> {
  const secure = await secureTunnel(proxy)
  secure.write(bytes)
  return said(secure)
}

describe('requests to the hub reach the sandbox', () => {
  const metadata = '/.well-known/openid-configuration'

  test('through a tunnel, under TLS with a certificate for the host', async () => {
    const { proxy } = await startHub()
    const text = await securely(proxy, get(metadata))
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text).toContain('"issuer":"http')
  })

  test('through a tunnel to port 80, and as an absolute URL', async () => {
    const { proxy } = await startHub()
    const socket = await tunnel(proxy, 'hub.invalid:80')
    socket.write(get(metadata))
    expect(await said(socket)).toContain('"issuer":"http')
    for (const scheme of ['http', 'https']) {
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      const text = await answerTo(proxy, get(`${scheme}://hub.invalid${metadata}`, 'evil.invalid'))
      expect(text).toContain('"issuer":"http')
    }
  })

  // DuckDB writes the whole URL within a tunnel, too.
  test.each([
    ['within TLS', 'https://hub.invalid'],
    ['within TLS, with the port', 'https://hub.invalid:443'],
    [
      'with a Host header that the target overrides (RFC 9112 §3.2.2)',
      'https://HUB.invalid',
      'x.test',
    ],
  ])('as an absolute URL through the tunnel %s', async (_name, origin, host = 'hub.invalid') => {
    const { proxy } = await startHub()
    const text = await securely(proxy, get(`${origin}${metadata}?a=%2F`, host))
    expect(text).toContain('"issuer":"http')
  })

  test('as an absolute URL through a plain tunnel, and a WebSocket by its URL', async () => {
    const { proxy } = await startHub()
    const socket = await tunnel(proxy, 'hub.invalid:80')
    socket.write(get(`http://hub.invalid${metadata}`))
    expect(await said(socket)).toContain('"issuer":"http')
    const upgrade = get('https://hub.invalid/none', 'x.test', 'Upgrade: websocket\r\n')
    expect(await securely(proxy, upgrade.replace('close', 'Upgrade'))).toMatch(/^HTTP\/1\.1 404 /)
  })

  test.each([
    'http://hub.invalid',
    'https://hub.invalid:80',
    'https://other.invalid',
    'https://hub.invalid.other.invalid',
    'ftp://hub.invalid',
  ])('except for a URL of another origin: %s', async (origin) => {
    const { proxy } = await startHub()
    const text = await securely(proxy, get(`${origin}${metadata}`))
    expect(text).toMatch(/^HTTP\/1\.1 403 /)
    expect(text).toContain('a URL of https://hub.invalid as its target')
  })

  test('with their bodies, several on one connection', async () => {
    const { proxy } = await startHub()
    const body = JSON.stringify({
      url: 'http://127.0.0.1:9/',
      domains: ['repo'],
      watched: [{ type: 'user', name: 'alice' }],
    })
    const chunks = [body.slice(0, 20), body.slice(20)]
    const post =
      'POST /api/settings/webhooks HTTP/1.1\r\nHost: hub.invalid\r\nContent-Type: application/json\r\n' +
      'Authorization: Bearer hf_sandbox_alice\r\nTransfer-Encoding: chunked\r\n\r\n' +
      chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('') +
      '0\r\n\r\n'
    const text = await securely(proxy, post + get('/oauth/jwks'))
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(text).toContain('"url":"http://127.0.0.1:9/"')
    expect(text).toContain('"keys":')
  })

  test('under the TLS of the sandbox', async () => {
    const data = temporaryDirectory()
    const sandbox = await startTestSandbox({ allowHost: 'hub.invalid', https: true, data })
    const ca = readFileSync(sandbox.certificatePath ?? '', 'utf8')
    const proxy = await startProxy(sandbox.url, { ca })
    expect(await securely(proxy, get(metadata))).toContain('"issuer":"http')
  })

  test('as a WebSocket, in both directions', async () => {
    const server = createServer()
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket) =>
      socket.on('message', (text: Buffer) => socket.send(`heard ${text.toString()}`)),
    )
    onTestFinished(() => sockets.close())
    const proxy = await startProxy(await serve(server))
    const { WebSocket } = await import('ws')
    const secure = await secureTunnel(proxy)
    const client = new WebSocket('ws://hub.invalid/any', { createConnection: () => secure })
    await once(client, 'open')
    client.send('this')
    const [heard] = (await once(client, 'message')) as [Buffer]
    expect(String(heard)).toBe('heard this')
    client.terminate()
  })

  test('and a broken response breaks for the client, too', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('the beginning', () => response.destroy())
    })
    const proxy = await startProxy(await serve(server))
    const text = await securely(proxy, get('/'))
    expect(text).toMatch(/\r\n\r\nthe beginning$/)
  })

  test('and get an error message if the sandbox is down', async () => {
    const proxy = await startProxy('http://127.0.0.1:9')
    const text = await securely(proxy, get('/'))
    expect(text).toMatch(/^HTTP\/1\.1 502 /)
    expect(text).toContain('http://127.0.0.1:9 does not respond (ECONNREFUSED).')
  })
})

describe('a request keeps its boundaries', () => {
  const body = '{"a":"GET /oauth/jwks HTTP/1.1"}'
  const offer =
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
  const post = (target: string, headers: string) =>
    `POST ${target} HTTP/1.1\r\nHost: hub.invalid\r\n${headers}\r\n`
  const length = `Content-Length: ${body.length}\r\n`

  /** A server that answers each request with the body that it read. */
  async function startEcho() {
    const heard: string[] = []
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => (text += part.toString()))
      request.on('end', () => {
        heard.push(`${request.method} ${text}`)
        response.writeHead(200, { Connection: 'close' }).end(`read ${text}`)
      })
    })
    return { heard, proxy: await startProxy(await serve(server)) }
  }

  test.each([
    ['a tunnel', (proxy: Proxy, bytes: string) => securely(proxy, bytes), ''],
    [
      'the plain proxy',
      (proxy: Proxy, bytes: string) => answerTo(proxy, bytes),
      'http://hub.invalid',
    ],
  ] as const)('through %s, with the offer of another protocol', async (_name, send, root) => {
    const { heard, proxy } = await startEcho()
    const text = await send(proxy, post(`${root}/`, offer + length) + body)
    expect(text).toContain(`read ${body}`)
    expect(heard).toEqual([`POST ${body}`])
  })

  test('if Connection names Content-Length', async () => {
    const { heard, proxy } = await startEcho()
    const head = `GET /first HTTP/1.1\r\nHost: hub.invalid\r\nConnection: Content-Length, close\r\n`
    const hidden = 'GET /second HTTP/1.1\r\nHost: hub.invalid\r\n\r\n'
    await securely(proxy, `${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`)
    expect(heard).toEqual([`GET ${hidden}`])
  })

  test.each([
    ['a tunnel', (proxy: Proxy, bytes: string) => securely(proxy, bytes), ''],
    [
      'the plain proxy',
      (proxy: Proxy, bytes: string) => answerTo(proxy, bytes),
      'http://hub.invalid',
    ],
  ] as const)('through %s, with more header lines than the limit', async (_name, send, root) => {
    const { heard, proxy } = await startEcho()
    const lines = 'a:\r\n'.repeat(2_100)
    for (const first of ['', offer, 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      const text = await send(proxy, post(`${root}/`, first + lines + length) + body)
      expect(text).toMatch(/^HTTP\/1\.1 431 /)
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    }
    expect(heard).toEqual([])
  })
})

describe('the control API stays unreachable', () => {
  const paths = [
    '/_sandbox/',
    '/%5fsandbox/api/tokens',
    '//_sandbox/health',
    '/_SANDBOX/',
    '/a/../_sandbox',
  ]

  test.each(paths)('%s', async (path) => {
    const { proxy } = await startHub()
    const answers = [
      await securely(proxy, get(path)),
      await answerTo(proxy, get(`http://hub.invalid${path}`)),
      await securely(
        proxy,
        get(path, 'hub.invalid', 'Upgrade: websocket\r\n').replace('close', 'Upgrade'),
      ),
    ]
    for (const text of answers) {
      expect(text).toMatch(/^HTTP\/1\.1 403 /)
      expect(text).toContain('The Hub has no /_sandbox')
    }
  })

  test('by its own URL, or by another host inside a tunnel', async () => {
    const { proxy, url } = await startHub()
    const { host, port } = new URL(url)
    expect(await answerTo(proxy, get(`${url}/_sandbox/health`, host))).toMatch(/^HTTP\/1\.1 403 /)
    expect(await answerTo(proxy, `CONNECT ${host} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await answerTo(proxy, `CONNECT [::1]:${port} HTTP/1.1\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 403 /,
    )
    expect(await securely(proxy, get('/_sandbox/health', host))).toMatch(/^HTTP\/1\.1 403 /)
    expect(await securely(proxy, get(`${url}/_sandbox/health`))).toMatch(/^HTTP\/1\.1 403 /)
    expect(await securely(proxy, get('/oauth/jwks', 'evil.invalid'))).toMatch(/^HTTP\/1\.1 403 /)
  })
})

describe('other hosts are not reached', () => {
  test.each([
    ['CONNECT other.invalid:443', 403, 'other.invalid is not intercepted'],
    ['CONNECT hub.invalid:22', 403, 'Port 22 of hub.invalid is not intercepted'],
    ['CONNECT 169.254.169.254:80', 403, 'is not intercepted'],
    ['CONNECT hub.invalid', 400, 'CONNECT name:443'],
    ['CONNECT /', 400, 'CONNECT name:443'],
    ['GET http://other.invalid/', 403, 'other.invalid is not intercepted'],
    ['GET /oauth/jwks', 400, 'This is a proxy'],
    ['GET ftp://hub.invalid/', 400, 'This is a proxy'],
    ['GET https://localhost:1/', 400, 'require a tunnel'],
  ])('%s', async (line, status, sentence) => {
    const { proxy } = await startHub()
    const text = await answerTo(
      proxy,
      `${line} HTTP/1.1\r\nHost: hub.invalid\r\nConnection: close\r\n\r\n`,
    )
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text).toContain(sentence)
  })

  test.each([
    ['169.254.169.254', 'link-local, metadata or reserved'],
    ['127.0.0.1', 'resolves to this machine'],
    ['::ffff:127.0.0.1', 'resolves to this machine'],
  ])('with --allow-network, a host of %s', async (address, sentence) => {
    const family = address.includes(':') ? 6 : 4
    let looks = 0
    const proxy = await startProxy('http://127.0.0.1:9', {
      allowNetwork: true,
      resolve: () => {
        looks += 1
        return Promise.resolve([{ address, family }])
      },
    })
    expect(await answerTo(proxy, 'CONNECT other.invalid:443 HTTP/1.1\r\n\r\n')).toContain(sentence)
    expect(await answerTo(proxy, get('http://other.invalid/'))).toContain(sentence)
    expect(looks).toBe(2)
    expect(await answerTo(proxy, 'CONNECT other.invalid:25 HTTP/1.1\r\n\r\n')).toContain(
      'only 443 and 80',
    )
  })

  test('except the user’s own app on this machine', async () => {
    const app = await serve(({ url }, response) => response.end(`the app at ${url}`))
    const { proxy } = await startHub()
    expect(await answerTo(proxy, get(`${app}/x?y`))).toContain('the app at /x?y')
    const socket = await tunnel(proxy, new URL(app).host)
    socket.write(get('/tunnel', 'localhost'))
    expect(await said(socket)).toContain('the app at /tunnel')
    const gone = 'CONNECT localhost:9 HTTP/1.1\r\n\r\n'
    expect(await answerTo(proxy, gone)).toMatch(/^HTTP\/1\.1 502 .*It cannot be reached/s)
  })
})

describe('a faulty client affects nobody else', () => {
  test('with invalid HTTP, invalid TLS, too long headers, or a closed connection', async () => {
    const { proxy } = await startHub()
    expect(await answerTo(proxy, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(
      await answerTo(
        proxy,
        get('http://hub.invalid/', 'x', `A: ${'a'.repeat(3 * 1024 * 1024)}\r\n`),
      ),
    ).toMatch(/^HTTP\/1\.1 431 /)
    const noTls = await tunnel(proxy, 'hub.invalid:443')
    noTls.write('GET / HTTP/1.1\r\n\r\n')
    expect(await said(noTls)).not.toContain('200')
    for (const bytes of ['', 'CONNECT hub.in', 'CONNECT hub.invalid:443 HTTP/1.1\r\n\r\n']) {
      const socket = open(proxy)
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      await once(socket, 'connect')
      socket.write(bytes)
      socket.resetAndDestroy()
    }
    const half = await tunnel(proxy, 'hub.invalid:80')
    half.end(get('/oauth/jwks'))
    // Node's servers take the end for a goodbye; it must be one for the tunnel, too.
    await said(half)
    expect(await securely(proxy, get('/oauth/jwks'))).toContain('"keys":')
  })

  test('a client that disconnects ends its request to the sandbox', async () => {
    let aborted: () => void
    const wasAborted = new Promise<void>((resolve) => (aborted = resolve))
    const server = createServer((request) => request.on('close', () => aborted()))
    const proxy = await startProxy(await serve(server))
    const secure = await secureTunnel(proxy)
    const asked = once(server, 'request')
    secure.write(get('/slow'))
    await asked
    secure.destroy()
    await expect(wasAborted).resolves.toBeUndefined()
  })

  test('close ends all open connections', async () => {
    const { proxy } = await startHub()
    const socket = await tunnel(proxy, 'hub.invalid:80')
    const gone = once(socket, 'close')
    socket.resume().on('error', () => undefined)
    await proxy.close()
    expect(await gone).toBeDefined()
  })
})
