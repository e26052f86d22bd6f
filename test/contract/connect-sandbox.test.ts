import { execFile } from 'node:child_process'
import { type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { packageVersion } from '../../server/core/package-root.ts'
import {
  ConnectError,
  connectSandbox,
  type ConnectSandboxOptions,
  type Sandbox,
} from '../../server/index.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { printed, watch } from '../helpers/printed.ts'
import { startTestSandbox, errorOf } from '../helpers/sandbox.ts'
import { serve } from '../helpers/json-receiver.ts'

const cli = commandLineWorld()

async function connect(url?: string, options?: ConnectSandboxOptions): Promise<Sandbox> {
  const sandbox = await connectSandbox(url, options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** Something that is no sandbox, and notes what it was sent. */
async function startStranger(answer: RequestListener) {
  const seen: { url: string | undefined; authorization: string | undefined }[] = []
  const url = await serve((request, response) => {
    seen.push({ url: request.url, authorization: request.headers.authorization })
    answer(request, response)
  })
  return { url, seen }
}

const refusal = (url?: string, options?: ConnectSandboxOptions) =>
  errorOf<ConnectError>(connect(url, options))

describe('connectSandbox', () => {
  test('uses the sandbox of the environment', async () => {
    const { url } = await startTestSandbox({ controlToken: 'let-me-in' })
    vi.stubEnv('HUB_SANDBOX_URL', `${url}/`)
    vi.stubEnv('HUB_SANDBOX_CONTROL_TOKEN', 'let-me-in')
    const sandbox = await connect()
    expect(sandbox.url).toBe(url)
    expect(sandbox.dashboardUrl).toBe(`${url}/_sandbox/?token=let-me-in`)
    expect(await sandbox.control('GET', 'overview')).toMatchObject({ baseUrl: url })
  })

  test('finds the sandbox of the data folder and reads its control token from the lock', async () => {
    const data = join(cli.folder(), 'data')
    const { sandbox: started } = await cli.start(['--data', data, '--control-token'])
    vi.stubEnv('HUB_SANDBOX_URL', '')
    vi.stubEnv('HUB_SANDBOX_CONTROL_TOKEN', '')
    vi.stubEnv('HUB_SANDBOX_DATA', data)
    const sandbox = await connect()
    expect(sandbox.url).toBe(started.url)
    expect(await sandbox.tokens.list()).not.toEqual([])

    const stranger = await startStranger((_request, response) => response.end('{"status":"ok"}'))
    expect(await refusal(stranger.url)).toBeInstanceOf(Error)
    expect(stranger.seen.map(({ authorization }) => authorization)).toEqual(
      stranger.seen.map(() => undefined),
    )
  })

  test('signs in as the first existing user, whatever was loaded', async () => {
    const { sandbox: started } = await cli.start([])
    const sandbox = await connect(started.url)
    await sandbox.control('PATCH', 'users/alice', { username: 'zoe' })
    expect((await sandbox.signIn()).token_type).toBe('bearer')
    const [token] = await sandbox.tokens.list({ user: 'zoe' })
    expect(token?.user?.username).toBe('zoe')
  })

  test('trusts the certificate of the user’s own sandbox', async () => {
    const data = join(cli.folder(), 'secure')
    const { sandbox: started } = await cli.start(['--data', data, '--https'])
    vi.stubEnv('HUB_SANDBOX_DATA', data)
    const sandbox = await connect(started.url)
    expect(sandbox.certificatePath).toBe(join(data, 'certificate.pem'))
    expect((await sandbox.signIn()).token_type).toBe('bearer')
    const fork = await sandbox.fork()
    expect(fork.url).toMatch(/^https:/)
    expect(await fork.requests()).toEqual(await fork.requests())

    vi.stubEnv('HUB_SANDBOX_DATA', join(cli.folder(), 'nothing'))
    const error = await refusal(started.url)
    expect(error).toMatchObject({ obstacle: 'unreachable' })
    expect(error?.message).toContain('NODE_EXTRA_CA_CERTS')
  })

  test('a missing sandbox is reported with the command to start one', async () => {
    const ended = await startTestSandbox()
    const { url } = ended
    await ended.close()
    const error = await refusal(url)
    expect(error).toBeInstanceOf(ConnectError)
    expect(error).toMatchObject({ obstacle: 'silent' })
    expect(error?.message).toBe(
      `No sandbox is running at ${url}.\nStart one with "npx --no hub-sandbox start --port ${new URL(url).port}", or set its URL by connectSandbox(url) or HUB_SANDBOX_URL.`,
    )
  })

  test('a parsed URL is accepted', async () => {
    const { url } = await startTestSandbox()
    const sandbox = await connectSandbox(new URL(url))
    onTestFinished(() => sandbox.close())
    expect(sandbox.url).toBe(url)
  })

  test('an invalid URL is reported', async () => {
    expect(await refusal('localhost:7420')).toMatchObject({
      obstacle: 'address',
      message:
        'the url of connectSandbox() must be a URL such as http://localhost:7420, not localhost:7420',
    })
  })

  test.each([
    ['a page', '<!doctype html><title>Hello</title>', 200],
    ['other JSON', '{"ok":true}', 200],
    ['nothing', '', 404],
  ])(
    'a server that responds with %s is not a sandbox and gets no token',
    async (_, body, status) => {
      const { url, seen } = await startStranger((_request, response) => {
        response.writeHead(status).end(body)
      })
      expect(await refusal(url, { controlToken: 'secret-token' })).toMatchObject({
        obstacle: 'stranger',
        message: `The server at ${url} is not a sandbox: ${body || 'it answers 404'}`,
      })
      expect(seen).toEqual([{ url: '/_sandbox/health', authorization: undefined }])
    },
  )

  test('does not follow a redirect, neither at first nor with the token', async () => {
    const thief = await startStranger((_request, response) => response.end('{}'))
    const { url } = await startStranger((_request, response) => {
      response.writeHead(302, { location: `${thief.url}/_sandbox/health` }).end()
    })
    expect(await refusal(url, { controlToken: 'secret-token' })).toMatchObject({
      obstacle: 'stranger',
      message: `The server at ${url} is not a sandbox: it redirects to ${thief.url}/_sandbox/health`,
    })
    const late = await startStranger((request, response) => {
      if (request.url === '/_sandbox/health') return response.end('{"status":"ok"}')
      return response.writeHead(307, { location: `${thief.url}/` }).end()
    })
    expect(await refusal(late.url, { controlToken: 'secret-token' })).toMatchObject({
      obstacle: 'stranger',
    })
    expect(thief.seen).toEqual([])
  })

  test('names both versions if they are incompatible', async () => {
    const { url } = await startStranger((request, response) => {
      response.end(request.url?.endsWith('health') ? '{"status":"ok"}' : '{"version":"7.1.0"}')
    })
    expect(await refusal(url)).toMatchObject({
      obstacle: 'version',
      message: `The sandbox at ${url} is hub-sandbox 7.1.0, but this is ${packageVersion}: use the same version on both sides.`,
    })
  })

  test('distinguishes a missing from a wrong control token', async () => {
    const { url } = await startTestSandbox({ controlToken: 'let-me-in' })
    const give =
      'pass the right one with connectSandbox(url, { controlToken }) or HUB_SANDBOX_CONTROL_TOKEN.'
    expect(await refusal(url)).toMatchObject({
      obstacle: 'control-token',
      message: `The sandbox at ${url} requires its control token: ${give}`,
    })
    expect(await refusal(url, { controlToken: 'open-sesame' })).toMatchObject({
      obstacle: 'control-token',
      message: `The sandbox at ${url} has another control token: ${give}`,
    })
    const sandbox = await connect(url, { controlToken: 'let-me-in' })
    const fork = await sandbox.fork()
    expect(await refusal(fork.url)).toMatchObject({ obstacle: 'control-token' })
    expect((await fork.tokens.list()).length).toBe((await sandbox.tokens.list()).length)
  })

  test('names a host that the sandbox does not accept', async () => {
    const { url } = await startTestSandbox()
    const error = await refusal(url.replace('localhost', '127.0.0.2'))
    expect(error).toMatchObject({ obstacle: expect.stringMatching(/silent|unreachable/) })
  })

  test('uses the URL at which it was found, and the issuer of the sandbox', async () => {
    const data = join(cli.folder(), 'named')
    await cli.start(['--data', data, '--base-url', 'https://hub.invalid'])
    vi.stubEnv('HUB_SANDBOX_DATA', data)
    const sandbox = await connect()
    expect(sandbox.url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(sandbox.issuer).toBe('https://hub.invalid')
    expect((await sandbox.signIn()).token_type).toBe('bearer')
    const fork = await sandbox.fork()
    expect(fork.issuer).toBe(fork.url)
  })
})

describe('a closed connection', () => {
  async function connected() {
    const origin = await startTestSandbox()
    return { origin, sandbox: await connect(origin.url) }
  }

  test('removes what it created: forks, links, barriers and temporary webhooks', async () => {
    const { origin, sandbox } = await connected()
    const fork = await sandbox.fork()
    const inFork = await fork.fork()
    await sandbox.barriers.add({ match: { route: '/held' }, count: 1 })
    const held = fetch(`${sandbox.url}/held`)
    await vi.waitFor(async () => {
      expect(await origin.barriers.list()).toMatchObject([{ held: [expect.any(String)] }])
    }, 30_000)
    const webhook = {
      user: 'alice',
      url: 'http://127.0.0.1:9/',
      watched: [{ type: 'user', name: 'alice' }],
    }
    await sandbox.control('POST', 'links', {})
    await sandbox.control('POST', 'webhooks', { ...webhook, temporary: true })
    const { id: lasting } = await sandbox.control<{ id: string }>('POST', 'webhooks', webhook)
    const { access_token: token } = await sandbox.tokens.mint({ user: 'alice', role: 'read' })

    await sandbox.close()
    const items = async (list: string) =>
      (await origin.control<{ items: { id: string; token?: string }[] }>('GET', list)).items
    expect((await held).status).toBe(404)
    expect(await items('forks')).toEqual([])
    expect(await items('links')).toEqual([])
    expect(await items('barriers')).toEqual([])
    expect((await items('webhooks')).map(({ id }) => id)).toEqual([lasting])
    expect((await items('tokens')).map((one) => one.token)).toContain(token)
    for (const { url } of [fork, inFork]) {
      await expect(fetch(`${url}/_sandbox/health`)).rejects.toThrow('fetch failed')
    }
    await expect(fork.reset()).rejects.toThrow('the sandbox is closed')
  })

  test('keeps what others created and what was already removed', async () => {
    const { origin, sandbox } = await connected()
    const { id } = await origin.barriers.add({ match: { route: '/held' }, count: 1 })
    const own = await sandbox.barriers.add({ match: { route: '/own' }, count: 1 })
    await sandbox.barriers.release(own.id)
    await (await sandbox.fork()).close()
    await sandbox.close()
    await sandbox.close()
    expect(await origin.barriers.list()).toMatchObject([{ id }])
  })

  test('closing after the end of the sandbox does not fail', async () => {
    const { origin, sandbox } = await connected()
    const fork = await sandbox.fork()
    await fetch(`${sandbox.url}/api/whoami-v2`)
    let wait: Promise<unknown> | undefined
    await new Promise<void>((resolve) => {
      const match = () => {
        resolve()
        return false
      }
      wait = sandbox.expectRequest(match).catch((error: unknown) => error)
    })
    await origin.close()
    expect(await wait).toEqual(new Error('the sandbox was stopped meanwhile'))
    await expect(fetch(`${fork.url}/_sandbox/health`)).rejects.toThrow('fetch failed')
    await fork.close()
    await sandbox.close()
  })

  test('forks of a killed program are closed', async () => {
    const origin = await startTestSandbox()
    const program = `
      import { connectSandbox } from ${JSON.stringify(new URL('../../server/index.ts', import.meta.url).href)}
      const fork = await (await connectSandbox(${JSON.stringify(origin.url)})).fork()
      console.log(fork.url)`
    const child = execFile(process.execPath, [
      '--import',
      import.meta.resolve('tsx'),
      '--input-type=module',
      '--eval',
      program,
    ])
    onTestFinished(() => void child.kill('SIGKILL'))
    const [fork] = await printed(watch(child), /^.+(?=\n)/, 'stdout')
    expect((await fetch(`${fork}/_sandbox/health`)).status).toBe(200)
    expect(await origin.control('GET', 'forks')).toMatchObject({
      items: [{ url: fork, temporary: true }],
    })
    child.kill('SIGKILL')
    await vi.waitFor(
      async () => expect(await origin.control('GET', 'forks')).toEqual({ items: [] }),
      30_000,
    )
  })
})
