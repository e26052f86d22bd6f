import http from 'node:http'
import { describe, expect, test } from 'vitest'
import { controlCookieOf } from '../../server/web/plugins/control-guard.ts'
import { buildTestApp, type TestApp, testApp } from '../helpers/app.ts'
import { missingBuild } from '../helpers/missing-build.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const world = testApp({ allowOrigins: ['https://allowed.example'] })

const get = (url: string, headers: Record<string, string>) => world.server.inject({ url, headers })

describe('hosts (DNS rebinding)', () => {
  test.each([
    'localhost',
    'LocalHost:7420',
    '127.0.0.1:1',
    '127.0.0.2:7420',
    '[::1]:7420',
    'hub.localhost',
    'localhost.',
  ])('responds to %s', async (host) => {
    expect((await get('/oauth/jwks', { host })).statusCode).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    'notlocalhost',
    '127.0.0.1.evil.example',
    '128.0.0.1',
    '192.168.0.1',
    '[::2]',
    'localhost:7420@evil.example',
    'localhost evil',
    'localhost..',
    '[::1].',
    '[::1.]',
    '127.0.0.1..:7420',
    '127.0.0.1.',
    '127.0.0.1.:7420',
    '127.0.0.999',
    '127.0.0.01',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '[127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '..',
    'localhost:port',
  ])('refuses %j', async (host) => {
    // Not because it was the last to ask, either.
    await get('/oauth/jwks', { host })
    const answer = await get('/oauth/jwks', { host })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: 'forbidden_host' })
  })

  test('quotes the beginning of a long host or origin', async () => {
    const long = 'x'.repeat(1024 * 1024)
    for (const headers of [{ host: long }, { host: 'localhost', origin: long }]) {
      const answer = await get('/api/models', headers)
      expect(answer.statusCode).toBe(403)
      expect(answer.body).toContain('more characters)')
      expect(answer.body.length).toBeLessThan(2048)
    }
  })

  test('uses the host of an absolute request target, as sent to a proxy', async () => {
    const { port } = new URL((await startTestSandbox()).url)
    const statusOf = (path: string) =>
      new Promise((resolve, reject) => {
        http
          .get({ host: '127.0.0.1', port, path, headers: { host: 'localhost' } }, (answer) => {
            answer.resume()
            resolve(answer.statusCode)
          })
          .on('error', reject)
      })
    expect(await statusOf('http://evil.example/_sandbox/api/tokens')).toBe(403)
    expect(await statusOf('http://127.0.0.1/_sandbox/api/tokens')).toBe(200)
  })

  test('refuses before any effect, for unknown paths as well', async () => {
    const headers = { host: 'evil.example' }
    const login = await world.client.postForm('/login', { user: 'bob' }, headers)
    expect(login.statusCode).toBe(403)
    expect(world.state.sessions.size).toBe(0)
    expect((await get('/nowhere', headers)).statusCode).toBe(403)
  })

  test('responds to the base URL, allowed hosts, and IP addresses when listening beyond loopback', async () => {
    const { server } = await buildTestApp({
      baseUrl: 'http://hub.test:7420',
      allowHosts: ['Box.lan'],
      allowAddressHosts: true,
    })
    const known = ['hub.test', 'box.lan:7420', '192.168.0.7', '[fe80::1]:80']
    const answers = await Promise.all(
      known.map((host) => server.inject({ url: '/oauth/jwks', headers: { host } })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const other = await server.inject({ url: '/oauth/jwks', headers: { host: 'evil.example' } })
    expect(other.statusCode).toBe(403)
  })
})

describe('web origins', () => {
  test.each([
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://app.localhost',
    'https://app.example',
    'https://allowed.example',
    'http://localhost:7420',
    // By a redirect URI.
    'myapp://callback',
  ])('allows a page of %s by name, without credentials', async (origin) => {
    const answer = await get('/api/whoami-v2', { origin })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      vary: 'Origin',
      'access-control-expose-headers': expect.stringContaining('X-Error-Message'),
    })
    for (const name of ['Accept-Ranges', 'X-Linked-Size', 'X-Linked-ETag']) {
      expect(answer.headers['access-control-expose-headers']).toContain(name)
    }
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'https://app.example:8443',
    'http://localhost.evil.example',
    'http://127.0.0.1.',
    'http://127.1:3000',
    'http://0x7f.0.0.1',
    'http://2130706433',
    'http://[::ffff:127.0.0.1]',
    'file://',
    'null',
    '*',
    'myapp://elsewhere',
  ])('refuses a page of %s without any effect', async (origin) => {
    const login = await world.client.postForm('/login', 'user=alice', { origin })
    expect(login.statusCode).toBe(403)
    expect(login.json()).toMatchObject({ error: 'forbidden_origin' })
    expect(login.headers).not.toHaveProperty('access-control-allow-origin')
    expect(world.state.sessions.size).toBe(0)
  })

  test('the refusal explains how to allow a page', async () => {
    const body = (await get('/api/whoami-v2', { origin: 'https://mine.example' })).json<{
      message: string
    }>()
    expect(body.message).toContain('--allow-origin https://mine.example')
  })

  test.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/oauth/jwks',
  ])('opens %s to every page', async (url) => {
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await get(url, { origin })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
  })

  test('allows the pages of a Space with an app, on its own host only', async () => {
    world.app('Space', {
      origin: 'space',
      redirectUris: [],
      redirectHosts: ['alice-chat.hf.space'],
    })
    const statusOf = async (origin: string) => (await get('/api/whoami-v2', { origin })).statusCode
    expect(await statusOf('https://alice-chat.hf.space')).toBe(401)
    expect(await statusOf('http://alice-chat.hf.space')).toBe(403)
    expect(await statusOf('https://bob-chat.hf.space')).toBe(403)
    expect(await statusOf('https://hf.space')).toBe(403)
  })

  test('forgets an origin with the last app that uses it', async () => {
    const headers = { origin: 'https://app.example' }
    expect((await get('/oauth/userinfo', headers)).statusCode).toBe(401)
    for (const app of Object.values(world.apps)) world.state.apps.delete(app.id)
    expect((await get('/oauth/userinfo', headers)).statusCode).toBe(403)
  })

  test('errors are readable for the page as well', async () => {
    const answer = await world.client.token(
      { grant_type: 'x' },
      { origin: 'http://localhost:5173' },
    )
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173')
  })
})

describe('preflight', () => {
  const preflight = (origin: string, more: Record<string, string> = {}) =>
    world.server.inject({
      method: 'OPTIONS',
      url: '/oauth/token',
      headers: { origin, 'access-control-request-method': 'POST', ...more },
    })

  test('allows the requested method and headers', async () => {
    const answer = await preflight('http://localhost:5173', {
      'access-control-request-headers': 'authorization,content-type',
      'access-control-request-private-network': 'true',
    })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-private-network': 'true',
    })
  })

  test('refuses other pages', async () => {
    expect((await preflight('https://evil.example')).statusCode).toBe(403)
  })
})

describe('the session cookie at the API', () => {
  test('is accepted from programs and own pages, not from pages of other origins', async () => {
    const session = await world.client.signIn('alice')
    const whoami = (headers: Record<string, string>) =>
      get('/api/whoami-v2', { ...session, ...headers })
    expect((await whoami({})).statusCode).toBe(200)
    expect((await whoami({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
    for (const headers of [
      { origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await whoami(headers)
      expect(answer.statusCode).toBe(403)
      expect(answer.body).not.toContain('alice')
    }
  })
})

/** Characters that a parameter of a path may have. */
const longestParameter = 5000

describe('paths without a route', () => {
  test('under /api/ return 501 with the missing feature', async () => {
    const answer = await get('/api/papers/x?q=1', {})
    expect(answer.statusCode).toBe(501)
    expect(answer.json()).toEqual({
      error: expect.stringMatching(/^GET \/api\/papers\/x is not emulated/),
    })
    expect(answer.headers['x-error-message']).toMatch(/^GET \/api\/papers\/x is not emulated/)
  })

  test.each([
    ['/oauth/introspect', 'error_description'],
    ['/oauth/revoke', 'error_description'],
    ['/.well-known/webfinger', 'error_description'],
    ['/nowhere', 'message'],
    ['/apis', 'message'],
  ])('return 404 for %s', async (url, field) => {
    const answer = await get(url, {})
    expect(answer.statusCode).toBe(404)
    const message = `Nothing is at GET ${url}.`
    expect(answer.json()).toEqual({ error: 'not_found', [field]: message })
    expect(answer.headers['x-error-message']).toBe(message)
  })

  test.each([
    '/%zz',
    '/acme/tagger/resolve/main/100%.txt',
    '/api/models/acme/tagger/tree/main/%zz',
    `/api/jobs/${'x'.repeat(longestParameter + 1)}`,
  ])('a malformed path %s is refused with the message of the hub', async (url) => {
    const answer = await get(url, {})
    expect(answer.statusCode).toBe(url.includes('%') ? 400 : 414)
    expect(answer.json()).toEqual({ error: answer.headers['x-error-message'] })
    expect(answer.headers['x-error-message']).toMatch(/address/)
  })

  test('a parameter of maximum length is routed', async () => {
    expect((await get(`/api/jobs/${'x'.repeat(longestParameter)}`, {})).statusCode).toBe(401)
  })

  test('a malformed path of the control API has its own error code', async () => {
    const answer = await get('/_sandbox/%zz', {})
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_address' })
  })
})

describe('the control API', () => {
  type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

  /** Every route of the control API that the server documents, with its parameters filled in. */
  async function controlRoutes({ server }: TestApp): Promise<{ method: Method; url: string }[]> {
    const headers = { authorization: 'Bearer the-token' }
    const { paths } = (await server.inject({ url: '/_sandbox/openapi.json', headers })).json<{
      paths: Record<string, Record<string, unknown>>
    }>()
    return Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith('/_sandbox/api/') || path === '/_sandbox/openapi.json'
        ? Object.keys(methods).map((method) => ({
            method: method.toUpperCase() as Method,
            url: path.replaceAll(/\{[^}]+\}/g, 'x'),
          }))
        : [],
    )
  }

  async function answers(
    { server }: TestApp,
    routes: { method: Method; url: string }[],
    headers: Record<string, string>,
  ): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {}
    for (const route of routes) {
      const { statusCode } = await server.inject({ ...route, headers })
      statuses[`${route.method} ${route.url}`] = statusCode
    }
    return statuses
  }

  const all = (routes: { method: Method; url: string }[], status: number) =>
    Object.fromEntries(routes.map(({ method, url }) => [`${method} ${url}`, status]))

  test('requires the control token if there is one, except for health', async () => {
    const guarded = await buildTestApp({ controlToken: 'the-token' })
    const routes = await controlRoutes(guarded)
    expect(routes.length).toBeGreaterThan(40)
    expect(await answers(guarded, routes, {})).toEqual(all(routes, 401))
    expect(await answers(guarded, routes, { authorization: 'Bearer wrong' })).toEqual(
      all(routes, 401),
    )
    const health = (headers: Record<string, string>) =>
      guarded.server.inject({ url: '/_sandbox/health', headers })
    expect((await health({})).json()).toEqual({ status: 'ok' })
    const known = await health({ authorization: 'Bearer the-token' })
    expect(known.json()).toHaveProperty('version')
  })

  test('refuses pages of other origins, reads included', async () => {
    const routes = await controlRoutes(world)
    for (const headers of [
      { origin: 'http://localhost:3000' },
      { origin: 'https://allowed.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(await answers(world, routes, headers)).toEqual(all(routes, 403))
    }
  })

  test('lets the dashboard connect to its own origin alone', async ({ skip }) => {
    const reason = missingBuild('renderer/index.html')
    skip(reason !== undefined, reason)
    const { server } = await buildTestApp({})
    const { headers } = await server.inject('/_sandbox/')
    // 'self' covers the live feed: ws of the same host and port (CSP Level 3 §6.7.2.8).
    expect(headers['content-security-policy']).toMatch(/^default-src 'self'; img-src/)
    expect(headers['content-security-policy']).not.toMatch(/wss?:|connect-src/)
  })

  test('exchanges the token in the URL of the dashboard for a cookie', async ({ skip }) => {
    const reason = missingBuild('renderer/index.html')
    skip(reason !== undefined, reason)
    const { server } = await buildTestApp({ controlToken: 'the-token' })
    const open = (query: string) => server.inject(`/_sandbox/${query}`)
    const { name, value } = controlCookieOf({ port: 7420 }, 'the-token')
    const traded = await open('?token=the-token')
    expect(traded.headers.location).toBe('/_sandbox/')
    expect(traded.headers['set-cookie']).toBe(
      `${name}=${value}; Path=/_sandbox; HttpOnly; SameSite=Lax`,
    )
    const withCookies = (cookie: string) =>
      server.inject({ url: '/_sandbox/', headers: { cookie } })
    expect((await withCookies(`${name}=${value}`)).statusCode).toBe(200)
    const planted = await withCookies(`${name}=planted; ${name}=${value}`)
    expect(planted.statusCode).toBe(400)
    expect(planted.headers['content-type']).toMatch(/^text\/html/)
    expect(planted.body).toContain(`several cookies named ${name}`)
    for (const query of ['', '?token=wrong', '?token=the-token&token=the-token']) {
      const refused = await open(query)
      expect(refused.statusCode).toBe(401)
      expect(refused.headers).not.toHaveProperty('set-cookie')
    }
  })
})
