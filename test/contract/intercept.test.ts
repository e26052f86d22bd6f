import { get } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { interceptRequests, type InterceptOptions, startSandbox } from '../../server/index.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { serve } from '../helpers/json-receiver.ts'
import { callerAt } from '../helpers/cast.ts'

const hub = 'https://hub.invalid'
const metadata = `${hub}/.well-known/openid-configuration`
const issuerAt = async (address: string) =>
  ((await (await fetch(address)).json()) as { issuer: string }).issuer

test('a sandbox in the process replaces the hub until it is closed', async () => {
  const sandbox = await startTestSandbox({ intercept: [hub, 'https://hub.example'] })
  expect(sandbox.issuer).toBe(hub)
  expect(sandbox.url).toMatch(/^http:\/\/localhost:\d+$/)
  expect(await issuerAt(metadata)).toBe(hub)
  expect(await issuerAt('https://hub.example/.well-known/openid-configuration')).toBe(hub)
  const { access_token } = await sandbox.signIn({ scope: 'openid profile' })
  const headers = { authorization: `Bearer ${access_token}` }
  const me = await fetch(`${hub}/oauth/userinfo`, { headers })
  expect(await me.json()).toMatchObject({ preferred_username: 'alice' })
  await sandbox.close()
  await expect(fetch(metadata)).rejects.toMatchObject({ cause: { code: 'ENOTFOUND' } })
})

test('the inference router is replaced together with the hub', async () => {
  const router = 'https://router.invalid'
  const sandbox = await startTestSandbox({ intercept: [hub, router] })
  const { access_token } = await sandbox.signIn({ scope: 'inference-api' })
  const request = { model: 'a/b', messages: [{ role: 'user', content: 'Hi' }] }
  const { body } = await callerAt({ url: router }, access_token).post(
    '/v1/chat/completions',
    request,
  )
  expect(body).toMatchObject({ model: 'a/b', object: 'chat.completion' })
})

test('HTTPS works with the certificate of the sandbox', async () => {
  const sandbox = await startTestSandbox({
    intercept: hub,
    https: true,
    data: temporaryDirectory(),
  })
  expect(new URL(sandbox.dashboardUrl).protocol).toBe('https:')
  expect(await issuerAt(metadata)).toBe(hub)
  const status = await new Promise((resolve, reject) => {
    get(metadata, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
  })
  expect(status).toBe(200)
  // What asks without TLS cannot be led there, and must not be led to the hub.
  await expect(fetch('http://hub.invalid/oauth/jwks')).rejects.toMatchObject({
    cause: { message: expect.stringContaining('without TLS') },
  })
})

test('the dashboard has the URL of the listening port, never of the hub', async () => {
  const { dashboardUrl, clock } = await startTestSandbox({ intercept: hub })
  expect(dashboardUrl).toMatch(/^http:\/\/localhost:\d+\/_sandbox\/\?token=/)
  expect((await fetch(dashboardUrl, { redirect: 'manual' })).status).toBeLessThan(400)
  expect(await (await fetch(`${hub}/_sandbox/health`)).json()).toEqual({
    error: 'forbidden_host',
    message:
      'The sandbox stands in for hub.invalid, which has no /_sandbox: its dashboard and control API are where it listens (HUB_SANDBOX_URL).',
  })
  expect(await clock.read()).toHaveProperty('now')
})

test('a call intercepts what is already running, and its end restores it', async () => {
  const asked: (string | undefined)[] = []
  const to = await serve(({ headers }, response) => {
    asked.push(headers.host)
    response.end('the stand-in')
  })

  const first = interceptRequests({ origins: [hub], to })
  const second = interceptRequests({ origins: ['https://hub.example'], to })
  expect(await (await fetch(hub)).text()).toBe('the stand-in')
  first[Symbol.dispose]()
  await expect(fetch('https://hub.invalid/again')).rejects.toThrow('fetch failed')
  expect(await (await fetch('https://hub.example')).text()).toBe('the stand-in')
  second.stop()
  second.stop()
  await expect(fetch('https://hub.example/again')).rejects.toThrow('fetch failed')
  expect(asked).toEqual(['hub.invalid', 'hub.example'])
})

test.each([
  [{ origins: [], to: 'http://localhost:1' }, 'the origins to intercept: name none'],
  [{ origins: ['hub'], to: 'http://localhost:1' }, 'the origins to intercept: must be an origin'],
  [{ origins: [hub], to: 'localhost:1' }, 'must be like http://localhost:7420'],
  [{ origins: [hub], to: `${hub}/` }, 'cannot reroute https://hub.invalid to itself'],
])('%j is refused', (options, message) => {
  expect(() => interceptRequests(options)).toThrow(message)
})

test.each([
  [{ intercept: 'http://localhost:1' }, /intercept: cannot contain http:\/\/localhost:1/],
  [{ intercept: [hub, hub] }, /intercept: has https:\/\/hub\.invalid twice/],
  [
    { intercept: hub, baseUrl: 'https://other.invalid' },
    /makes https:\/\/hub\.invalid the base URL/,
  ],
])('a sandbox does not start with %j', async (options, message) => {
  await expect(startSandbox(options)).rejects.toThrow(message)
})

test('a single origin works like a list, and unknown options are refused', async () => {
  const { url: to } = await startTestSandbox({ allowHost: 'hub.invalid' })
  const interception = interceptRequests({ origins: hub, to })
  onTestFinished(() => interception.stop())
  expect(await issuerAt(metadata)).toBe(to)
  const mistyped = { origin: hub, to } as unknown as InterceptOptions
  expect(() => interceptRequests(mistyped)).toThrow(
    'interceptRequests() has no option "origin" (did you mean "origins"?)',
  )
})
