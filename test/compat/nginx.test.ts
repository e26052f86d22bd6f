import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { codeBlockWith } from '../helpers/documents.ts'
import { freePort } from '../helpers/free-port.ts'
import { formOf } from '../helpers/page.ts'
import { hasProgram } from '../helpers/programs.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

/** Debian has it where only administrators look for programs. */
const nginx = hasProgram('nginx', '-v') ? 'nginx' : '/usr/sbin/nginx'
const isInstalled = nginx === 'nginx' || existsSync(nginx)

/** Starts nginx with the server that the documentation shows, on other ports. */
async function startProxy(port: number, sandboxPort: number): Promise<void> {
  const server = codeBlockWith('nginx', 'server_name')
  const folder = temporaryDirectory()
  mkdirSync(join(folder, 'logs'))
  const file = join(folder, 'nginx.conf')
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    file,
    [
      'daemon off; master_process off; pid nginx.pid; error_log stderr; events {}',
      'http { access_log off;',
      ...kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`),
      server
        .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replace('127.0.0.1:7420', `127.0.0.1:${sandboxPort}`),
      '}',
    ].join('\n'),
  )
  const child = spawn(nginx, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const printed = text(child.stderr)
  onTestFinished(() => void child.kill())
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', () => void printed.then((why) => reject(new Error(`nginx ended: ${why}`))))
  })
  ended.catch(() => undefined)
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      http
        .get({ host: '127.0.0.1', port }, (answer) => resolve(answer.resume().readable))
        .on('error', () => resolve(false))
    })
  const started = async () => {
    await expect.poll(isUp, { timeout: 20_000 }).toBe(true)
  }
  await Promise.race([ended, started()])
}

/** A browser that knows the sandbox by its base URL alone. */
function createBrowser(port: number, base: string) {
  let cookie = ''
  return async (
    method: string,
    path: string,
    {
      form,
      headers = {},
    }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ) => {
    const isJson = path.startsWith('/_sandbox/api/')
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
    const body = isJson ? JSON.stringify(form) : new URLSearchParams(form).toString()
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .request(
          {
            host: '127.0.0.1',
            port,
            method,
            path,
            headers: {
              host: new URL(base).host,
              cookie,
              'sec-fetch-site': 'same-origin',
              ...(method === 'GET' ? {} : { origin: base, 'content-type': type }),
              ...headers,
            },
          },
          resolve,
        )
        .on('error', reject)
        .end(method === 'GET' ? undefined : body)
    })
    cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie
    return {
      status: answer.statusCode,
      location: answer.headers.location ?? '',
      body: await text(answer),
    }
  }
}

describe('behind nginx, as the documentation configures it', () => {
  let base = ''
  let port = 0
  let browse: ReturnType<typeof createBrowser>
  let consentPath = ''
  beforeEach(async ({ skip }) => {
    skip(!isInstalled, 'nginx is not installed')
    port = await freePort()
    base = `http://hub.localhost:${port}`
    const listens = await freePort()
    const sandbox = await startTestSandbox({ baseUrl: base, port: listens })
    await startProxy(port, listens)
    browse = createBrowser(port, base)
    const { public: app } = defaultApps(sandbox)
    consentPath = `/oauth/authorize?${new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: app.redirectUris[0]!,
      scope: 'openid profile',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`
  })

  test('a user signs in and consents', async () => {
    expect((await browse('POST', '/login', { form: { user: 'alice' } })).status).toBe(303)
    const page = await browse('GET', consentPath)
    const { action, fields } = formOf(page.body)
    const consented = await browse('POST', action, { form: { ...fields, decision: 'approve' } })
    expect(consented.status).toBe(303)
    expect(new URL(consented.location).searchParams.get('code')).toBeTruthy()
  })

  test('the dashboard calls the control API and has its live feed', async () => {
    const made = await browse('POST', '/_sandbox/api/sessions', { form: { user: 'alice' } })
    expect(made.status).toBe(200)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/_sandbox/live`, {
      headers: { host: new URL(base).host, origin: base },
    })
    onTestFinished(() => socket.close())
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  test('the cookies of other apps pass', async () => {
    const cookie = `other=${'x'.repeat(4000)}; `.repeat(25)
    expect((await browse('GET', '/login', { headers: { cookie } })).status).toBe(200)
  })

  test('pages of other origins are refused', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const path of ['/login', '/_sandbox/api/sessions']) {
      const refused = await browse('POST', path, { form: { user: 'alice' }, headers })
      expect([path, refused.status]).toEqual([path, 403])
    }
  })
})
