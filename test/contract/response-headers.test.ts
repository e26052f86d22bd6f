import http from 'node:http'
import net from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { testApp } from '../helpers/app.ts'
import { startTestSandbox, sharedSandbox } from '../helpers/sandbox.ts'

const world = testApp()

const idOf = async (url: string, headers: Record<string, string> = {}) =>
  (await world.server.inject({ url, headers })).headers['x-request-id']

describe('X-Request-Id', () => {
  const ownForm = /^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/
  const trace = '3c1a9b0e-6f0c-4a53-9f5b-0a5d3c1f2e77'

  test.each([
    '/api/whoami-v2',
    '/.well-known/openid-configuration',
    '/oauth/token',
    '/oauth/authorize',
    '/login',
    '/avatars/alice.svg',
    '/api/papers/x',
    '/nowhere',
    '/%zz',
    `/api/jobs/${'x'.repeat(501)}`,
  ])('the response to %s has the trace id of the request', async (url) => {
    expect(await idOf(url)).toMatch(ownForm)
    const [root, ...rest] = String(await idOf(url, { 'x-amzn-trace-id': trace })).split(';')
    expect(root).toMatch(ownForm)
    expect(rest).toEqual([trace])
  })

  test('refusals of guards have a request id as well', async () => {
    expect(await idOf('/api/whoami-v2', { host: 'evil.example' })).toMatch(ownForm)
    expect(await idOf('/api/whoami-v2', { origin: 'https://evil.example' })).toMatch(ownForm)
  })

  test('each response has its own request id', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => idOf('/oauth/jwks')))
    expect(new Set(ids).size).toBe(20)
  })

  test('a request id of the client takes precedence over a trace id', async () => {
    const brought = { 'x-request-id': 'my-request~1', 'x-amzn-trace-id': trace }
    expect(await idOf('/api/whoami-v2', brought)).toBe('my-request~1')
    expect(await idOf('/api/whoami-v2', { 'x-request-id': '!'.repeat(256) })).toBe('!'.repeat(256))
  })

  test.each([
    ['too long', 'x'.repeat(257)],
    ['empty', ''],
    ['not visible', 'a b'],
    ['not ASCII', 'caf\u00e9'],
  ])('a request id that is %s is ignored', async (_, value) => {
    expect(await idOf('/api/whoami-v2', { 'x-request-id': value })).toMatch(ownForm)
    expect(await idOf('/api/whoami-v2', { 'x-amzn-trace-id': value })).toMatch(ownForm)
  })

  test('request ids do not use up random values of the seed', async () => {
    const secrets = []
    for (const requests of [0, 7]) {
      const sandbox = await startTestSandbox({ seed: 1 })
      for (let count = 0; count < requests; count++) await fetch(`${sandbox.url}/api/whoami-v2`)
      const { access_token: token } = await sandbox.signIn({ user: 'alice' })
      // The parts before name the port and the time.
      secrets.push(token.split('.').at(-1))
    }
    expect(secrets[0]).toBe(secrets[1])
  })
})

describe('the policies of the hub', () => {
  const policies = {
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
  }

  test.each([
    '/login',
    '/oauth/authorize',
    // Redirects: browsers apply the opener policy to each response on the way.
    '/oauth/authorize?client_id=x',
    '/settings/tokens',
    '/oauth/device',
    '/alice',
    '/api/whoami-v2',
    '/.well-known/openid-configuration',
    '/acme/tagger/resolve/main/README.md',
    '/nowhere',
    '/%zz',
  ])('the response to %s has the policies', async (url) => {
    const answer = await world.server.inject({ url, headers: { accept: 'text/html' } })
    expect(answer.headers).toMatchObject(policies)
  })

  test('the dashboard has none of these policies', async () => {
    const { headers } = await world.server.inject('/_sandbox/api/clock')
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
  })
})

describe('X-Content-Type-Options over a socket', () => {
  const sandbox = sharedSandbox({}, { keepsState: true })

  /** Returns all that the server sends for these bytes. */
  async function exchange(host: string, port: string, text: string): Promise<string> {
    const socket = net.connect(Number(port), host)
    let answer = ''
    socket.setEncoding('latin1').on('data', (data) => (answer += data))
    socket.write(text)
    await once(socket, 'close')
    return answer
  }

  test.each([
    ['a malformed request', 'NONSENSE\r\n\r\n', 400],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nA: ${'x'.repeat(3 * 1024 * 1024)}\r\n\r\n`,
      431,
    ],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'an address that cannot be decoded',
      'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
    ],
    [
      'an unknown expectation, which is ignored',
      'GET /api/papers/x HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      501,
    ],
    [
      'a WebSocket under a foreign name',
      'GET /_sandbox/live HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      403,
    ],
    [
      'a WebSocket elsewhere',
      'GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      404,
    ],
    [
      'a WebSocket without a key',
      'GET /_sandbox/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      400,
    ],
  ])('sends nosniff to %s', async (_, request, status) => {
    const { port } = new URL(sandbox.url)
    for (const host of ['127.0.0.1', ...((await hasIpv6()) ? ['::1'] : [])]) {
      const answer = await exchange(host, port, request)
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r$/im)
    }
  })

  /** The machine of a test may have none. */
  const hasIpv6 = () =>
    new Promise<boolean>((resolve) => {
      const probe = http.createServer()
      probe.on('error', () => resolve(false))
      probe.listen(0, '::1', () => probe.close(() => resolve(true)))
    })

  test('sends nosniff on every described route and on others', async () => {
    const { paths } = (await world.server.inject('/_sandbox/openapi.json')).json<{
      paths: Record<string, Record<string, unknown>>
    }>()
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase() as 'GET',
        url: path.replaceAll(/\{[^}]+\}/g, 'x'),
      })),
    )
    expect(routes.length).toBeGreaterThan(80)
    const bare: string[] = []
    for (const route of [...routes, { method: 'GET' as const, url: '/nowhere' }]) {
      // A stream has no end to wait for.
      if (route.url.endsWith('/logs')) continue
      const { headers } = await world.server.inject(route)
      if (headers['x-content-type-options'] !== 'nosniff') bare.push(`${route.method} ${route.url}`)
    }
    expect(bare).toEqual([])
  })
})
