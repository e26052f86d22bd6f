import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { unusableVariables } from '../../server/contract/client-settings.ts'
import { buildTestApp } from '../helpers/app.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { freePort } from '../helpers/free-port.ts'
import { createOAuthClient, pkce } from '../helpers/oauth-client.ts'
import { printed } from '../helpers/printed.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const baseUrl = 'http://localhost:7420'
const backChannelUrl = 'http://hub:7420'
const documents = ['openid-configuration', 'oauth-authorization-server'] as const
const calledByPrograms = [
  'token_endpoint',
  'userinfo_endpoint',
  'device_authorization_endpoint',
  'registration_endpoint',
  'jwks_uri',
]

type Metadata = Record<string, unknown>
const rootsOf = (metadata: Metadata) =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, new URL(value).origin]] : [],
    ),
  )

/** The origin of each address in the metadata, asked under this host. */
async function askedUnder(host: string, settings = {}) {
  const { server } = await buildTestApp({ backChannelUrl, ...settings })
  const answers = await Promise.all(
    documents.map((name) => server.inject({ url: `/.well-known/${name}`, headers: { host } })),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const [first, second] = answers.map((answer) => rootsOf(answer.json()))
  expect(second).toEqual(first)
  return first
}

const all = (root: string) => Object.fromEntries(calledByPrograms.map((key) => [key, root]))
const forBrowsers = { issuer: baseUrl, authorization_endpoint: baseUrl }

describe('the metadata with --back-channel-url (RFC 8414 §3.3)', () => {
  test.each(['hub:7420', 'HUB:7420', 'hub.:7420', 'hub', 'hub:17420'])(
    'metadata under %s has the endpoints of the back channel and the same issuer',
    async (host) => {
      expect(await askedUnder(host)).toEqual({ ...forBrowsers, ...all(backChannelUrl) })
    },
  )

  test.each(['localhost:7420', '127.0.0.1:7420', '[::1]:7420', 'other.localhost'])(
    'metadata under %s is that of the base URL',
    async (host) => {
      expect(await askedUnder(host)).toEqual({ ...forBrowsers, ...all(baseUrl) })
    },
  )

  test('the port decides when both URLs have the same host name', async () => {
    const under = (host: string) => askedUnder(host, { backChannelUrl: 'http://localhost:80' })
    expect(await under('localhost:7420')).toMatchObject(all(baseUrl))
    expect(await under('localhost')).toMatchObject(all('http://localhost'))
  })

  test('responses vary by host only with a back channel', async () => {
    const varyOf = async (settings: object) => {
      const { server } = await buildTestApp(settings)
      const answers = (['GET', 'HEAD'] as const).map((method) =>
        server.inject({ method, url: '/.well-known/openid-configuration' }),
      )
      return (await Promise.all(answers)).map(({ headers }) => headers.vary)
    }
    expect(await varyOf({ backChannelUrl })).toEqual(['Host', 'Host'])
    expect(await varyOf({})).toEqual([undefined, undefined])
  })

  test.each([
    'hub.evil.example',
    'evil-hub',
    'evil.hub',
    'hub:7420@evil.example',
    'hub:7420/evil.example',
    'hub evil',
    'hub,localhost',
    'xn--hub-',
  ])('the host %j does not get the metadata', async (host) => {
    const { server } = await buildTestApp({ backChannelUrl })
    const answer = await server.inject({
      url: '/.well-known/openid-configuration',
      headers: { host },
    })
    expect(answer.statusCode).toBe(403)
  })

  test('forwarded headers of a proxy are ignored', async () => {
    const { server } = await buildTestApp({ backChannelUrl })
    const answer = await server.inject({
      url: '/.well-known/openid-configuration',
      headers: { host: 'localhost', 'x-forwarded-host': 'hub', forwarded: 'host=hub' },
    })
    expect(rootsOf(answer.json())).toMatchObject(all(baseUrl))
  })
})

describe('under the back channel', () => {
  const headers = { host: 'hub:7420' }

  test('a device gets the base URL (RFC 8628 §3.2)', async () => {
    const { server, apps } = await buildTestApp({
      backChannelUrl,
      device: { verificationUriComplete: true },
    })
    const answer = await createOAuthClient({ server }).postForm(
      '/oauth/device',
      { client_id: apps.public.id },
      headers,
    )
    const { verification_uri: uri, verification_uri_complete: complete } = answer.json<{
      verification_uri: string
      verification_uri_complete: string
    }>()
    expect(uri).toBe(`${baseUrl}/oauth/device`)
    expect(complete.startsWith(`${uri}?`)).toBe(true)
  })

  test('an ID token names the only issuer', async () => {
    const world = await buildTestApp({ backChannelUrl })
    const client = createOAuthClient(world)
    const code = await client.getCode('alice', {
      client_id: world.apps.public.id,
      scope: 'openid profile',
      ...pkce,
    })
    const answer = await client.redeem(code, { client_id: world.apps.public.id }, headers)
    const keys = await world.server.inject({ url: '/oauth/jwks', headers })
    const { payload } = await jwtVerify(
      answer.json<{ id_token: string }>().id_token,
      createLocalJWKSet(keys.json()),
      { currentDate: new Date(world.clock.now()), issuer: baseUrl },
    )
    expect(payload['profile']).toBe(`${baseUrl}/alice`)
  })

  test('the URL of the next page is reachable for the program', async () => {
    const sandbox = await startTestSandbox({ backChannelUrl })
    const { port } = new URL(sandbox.url)
    const ask = (method: string, path: string, host: string, body = '') =>
      new Promise<string>((resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, method, path },
          (answer) =>
            void answer
              .resume()
              .once('end', () => resolve([answer.headers.link ?? ''].flat().join())),
        )
        sent.setHeader('Host', host).setHeader('Authorization', 'Bearer hf_sandbox_alice')
        sent.setHeader('Content-Type', 'application/json')
        sent.once('error', reject).end(body)
      })
    const job = JSON.stringify({ dockerImage: 'python:3.12', flavor: 'cpu-basic', command: ['x'] })
    await ask('POST', '/api/jobs/alice', 'hub', job)
    await ask('POST', '/api/jobs/alice', 'hub', job)
    const next = (host: string) => ask('GET', '/api/jobs/alice?limit=1', host)
    expect(await next('hub:7420')).toMatch(/^<http:\/\/hub:7420\/api\/jobs\/alice\?/)
    expect(await next(`localhost:${port}`)).toMatch(`<${sandbox.url}/api/jobs/alice?`)
  })

  test('the control API requires the token and returns both URLs', async () => {
    const { server } = await buildTestApp({ backChannelUrl, controlToken: 'the-token' })
    const overview = (more: Record<string, string>) =>
      server.inject({ url: '/_sandbox/api/overview', headers: { ...headers, ...more } })
    expect((await overview({})).statusCode).toBe(401)
    const answer = await overview({ authorization: 'Bearer the-token' })
    expect(answer.json()).toMatchObject({ baseUrl, backChannelUrl })
  })

  test('the refusal of a host names both URLs', async () => {
    const { server } = await buildTestApp()
    const answer = await server.inject({ url: '/oauth/jwks', headers })
    expect(answer.json<{ message: string }>().message).toMatch(
      /--allow-host hub, or with --back-channel-url http:\/\/hub:7420 /,
    )
  })

  test('the certificate includes the host of the back channel', async () => {
    const data = temporaryDirectory()
    await startTestSandbox({ https: true, data, backChannelUrl: 'https://hub:7420' })
    const certificate = new X509Certificate(readFileSync(join(data, 'certificate.pem')))
    expect(['hub', 'localhost', 'evil'].map((name) => certificate.checkHost(name))).toEqual([
      'hub',
      'localhost',
      undefined,
    ])
  })

  test('a fork has no back channel', async () => {
    const sandbox = await startTestSandbox({ backChannelUrl })
    const fork = await sandbox.fork()
    try {
      const { backChannelUrl: inherited } = await fork.control<{ backChannelUrl?: string }>(
        'GET',
        'overview',
      )
      expect(inherited).toBeUndefined()
    } finally {
      await fork.close()
    }
  })
})

describe('env --back-channel', { timeout: 60_000 }, () => {
  const { run } = commandLineWorld()

  test('prints the URLs for an app inside the network; the banner shows the back channel', async () => {
    const running = run(['--port', '0', '--back-channel-url', 'http://hub:7420/'])
    await printed(running, /Back channel +http:\/\/hub:7420\n[^]*Control token/)
    const { stdout } = await run(['env', '--json', '--back-channel']).ended
    expect(JSON.parse(stdout)).toMatchObject({
      HF_ENDPOINT: 'http://hub:7420',
      OPENID_PROVIDER_URL: 'http://hub:7420',
    })
    const plain = await run(['env', '--json']).ended
    expect(plain.stdout).toContain('http://localhost:')
    expect(plain.stdout).not.toContain('hub:7420')
    running.child.kill('SIGTERM')
    await running.ended
  })

  test('env and exec use the back channel', async () => {
    const port = await freePort()
    const backChannelUrl = `http://127.0.0.1:${port}`
    await startTestSandbox({ port, baseUrl: `http://localhost:${port}`, backChannelUrl })
    const printed = await run(['env', '--json', '--url', backChannelUrl]).ended
    expect(JSON.parse(printed.stdout)).toMatchObject({ OPENID_PROVIDER_URL: backChannelUrl })
    const endpoint = ['node', '-p', 'process.env.HF_ENDPOINT']
    const said = await run(['exec', '--url', backChannelUrl, '--', ...endpoint]).ended
    expect(said.stdout).toBe(`${backChannelUrl}\n`)
    const plain = await run(['exec', '--url', `http://localhost:${port}`, '--', ...endpoint]).ended
    expect(plain.stdout).toBe(`http://localhost:${port}\n`)
  })

  test('a missing back channel is refused with the fix', async () => {
    const running = run(['--port', '0'])
    await printed(running, /Set up a client/)
    const { code, stdout, stderr } = await run(['env', '--json', '--back-channel']).ended
    expect(code).toBe(2)
    // Variables that reach no Hub, for a reader that ignores the exit code.
    expect(JSON.parse(stdout)).toEqual(unusableVariables())
    expect(stderr).toMatch(/start it with --back-channel-url/)
    running.child.kill('SIGTERM')
    await running.ended
  })
})
