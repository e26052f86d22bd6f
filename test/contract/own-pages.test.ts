import { beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from '../../server/core/config-error.ts'
import { startSession } from '../../server/hub/oauth/sessions.ts'
import { buildTestApp, testApp } from '../helpers/app.ts'
import { pkce, redirectUri } from '../helpers/oauth-client.ts'
import { formOf } from '../helpers/page.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const baseUrl = 'https://hub.example'
/** Host header of a proxy that keeps its own default. */
const host = '127.0.0.1:7420'

const world = testApp({ baseUrl })
const { client } = world
let cookie: string
beforeEach(() => {
  cookie = `hub_sandbox_session_7420=${startSession(world.deps, world.users.alice).id}`
})

const own = [
  { origin: baseUrl, 'sec-fetch-site': 'same-origin' },
  // Over plain http a browser sends it alone.
  { origin: baseUrl },
  { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
  { origin: 'null', 'sec-fetch-site': 'same-origin' },
  // Of a forwarder that replaces it.
  { origin: 'http://localhost:7420', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://localhost:7420' },
  { origin: 'http://[::1]:7420' },
]
const foreign = [
  { origin: 'https://evil.example' },
  { origin: 'http://hub.example' },
  { origin: baseUrl, 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://localhost:7420', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://localhost:7420', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site' },
]

/** Statuses by what was asked. */
async function ask(page: Record<string, string>): Promise<Record<string, number>> {
  const headers = { host, cookie, ...page }
  const url = client.authorizeUrl({
    client_id: world.apps.public.id,
    redirect_uri: redirectUri,
    scope: 'openid',
    ...pkce,
  })
  const consent = formOf((await client.get(url, { host, cookie })).body)
  const sessions = '/_sandbox/api/sessions'
  const control = await client.postJson(sessions, { user: 'alice' }, { host, ...page })
  const live = await client.get('/_sandbox/live', headers)
  return {
    consent: (
      await client.postForm(consent.action, { ...consent.fields, decision: 'approve' }, headers)
    ).statusCode,
    login: (await client.postForm('/login', { user: 'bob' }, { host, ...page })).statusCode,
    logout: (await client.postForm('/logout', '', { host, ...page })).statusCode,
    api: (await client.get('/api/whoami-v2', headers)).statusCode,
    control: control.statusCode,
    live: live.statusCode,
  }
}

describe('behind a proxy that sends its own Host', () => {
  test.each(own)('a page of the sandbox has full access: %j', async (page) => {
    expect(await ask(page)).toEqual({
      consent: 303,
      login: 303,
      logout: 303,
      api: 200,
      control: 200,
      // It is no WebSocket.
      live: 426,
    })
  })

  test.each(foreign)('a page of another origin has no access: %j', async (page) => {
    const statuses = await ask(page)
    expect(statuses).toEqual({
      consent: 403,
      login: 403,
      logout: 403,
      api: 403,
      control: 403,
      live: 403,
    })
  })

  test.each([{ baseUrl: 'http://localhost:7420' }, { baseUrl: 'http://hub.localhost:8080' }])(
    'the listening origin is not replaced for a base URL on loopback: %j',
    async (settings) => {
      const { server } = await buildTestApp(settings)
      const statusOf = async (origin: string) => {
        const headers = { host: 'box.localhost:7420', origin }
        return (await server.inject({ url: '/_sandbox/api/clock', headers })).statusCode
      }
      expect(await statusOf('http://127.0.0.1:7420')).toBe(403)
      expect(await statusOf('http://box.localhost:7420')).toBe(200)
    },
  )

  test.each(['http://localhost:7421', 'http://localhost', 'http://evil.localhost:7420'])(
    'another loopback origin is not the listening one: %s',
    async (origin) => {
      const headers = { host, origin }
      const answer = await world.server.inject({ url: '/_sandbox/api/clock', headers })
      expect(answer.statusCode).toBe(403)
    },
  )

  test('a page of an intercepted hub is not of the sandbox', async () => {
    const { server } = await buildTestApp({
      baseUrl: 'https://hub.invalid',
      interceptedOrigins: ['https://hub.invalid'],
    })
    for (const origin of ['https://hub.invalid', 'http://127.0.0.1:7420']) {
      const answer = await server.inject({
        url: '/_sandbox/api/clock',
        headers: { host: 'localhost:7420', origin },
      })
      expect(answer.statusCode).toBe(403)
    }
  })
})

describe('the advice to a page of another origin', () => {
  test.each([
    'https://mine.example',
    'capacitor://localhost',
    'ionic://localhost',
    'tauri://localhost',
    'app://-',
    'file://',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://0f0e7a5c-1b1f-4e5a-9b6d-2f1a8f3d7c10',
    'http://192.168.0.7:3000',
  ])('works as printed for %s', async (origin) => {
    const refused = await client.get('/api/whoami-v2', { origin })
    expect(refused.statusCode).toBe(403)
    const { message } = refused.json<{ message: string }>()
    const [, flag] = /--allow-origin (\S+)\.$/.exec(message) ?? []
    const sandbox = await startTestSandbox({ allowOrigin: flag! })
    const answer = await fetch(`${sandbox.url}/api/whoami-v2`, {
      headers: { origin, authorization: 'Bearer hf_sandbox_alice' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    const preflight = await fetch(`${sandbox.url}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
  })

  test.each(['*', 'nonsense', 'http://a b', 'https://a.example/$(id)', 'com.example:'])(
    'names no flag for %j, which is not an origin',
    async (origin) => {
      const refused = await client.get('/api/whoami-v2', { origin })
      expect(refused.statusCode).toBe(403)
      expect(refused.json<{ message: string }>().message).not.toContain('--allow-origin')
    },
  )

  test('also suggests to register a redirect URI, which works for any scheme', async () => {
    const asked = () => client.get('/oauth/userinfo', { origin: 'capacitor://localhost' })
    expect((await asked()).statusCode).toBe(403)
    world.app('Phone', { redirectUris: ['capacitor://localhost/callback'] })
    const answer = await asked()
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBe('capacitor://localhost')
  })

  test.each(['*', 'https://a.example/path', 'com.example:/callback', 'null', 'localhost'])(
    'describes an origin, for --allow-origin %s',
    async (allowOrigin) => {
      await expect(startTestSandbox({ allowOrigin })).rejects.toThrow(ConfigError)
      await expect(startTestSandbox({ allowOrigin })).rejects.toThrow(
        /must be like https:\/\/app\.example\.test or capacitor:\/\/localhost/,
      )
    },
  )
})
