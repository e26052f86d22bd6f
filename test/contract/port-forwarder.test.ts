import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Sandbox } from '../../server/index.ts'
import { type PlainResponse, sendPlain } from '../helpers/framed-app.ts'
import { freePort } from '../helpers/free-port.ts'
import { missingBuild } from '../helpers/missing-build.ts'
import { encode, pkce } from '../helpers/oauth-client.ts'
import { formOf } from '../helpers/page.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'
import { serve } from '../helpers/json-receiver.ts'

const publicHost = 'name-7420.app.github.dev'
const publicUrl = `https://${publicHost}`

/** Headers that a forwarder sends in place of those of the browser. */
type Rewrite = (port: number) => OutgoingHttpHeaders

const forwarded = {
  'x-forwarded-host': publicHost,
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-port': '443',
}
const toLocalhost: Rewrite = (port) => ({ host: `localhost:${port}` })
const originOfLocalhost: Rewrite = (port) => ({ origin: `http://localhost:${port}` })

const cases: [name: string, rewrite: Rewrite][] = [
  ['keeps Host and Origin', () => ({})],
  ['rewrites Host', toLocalhost],
  ['rewrites Host to an IP address', (port) => ({ host: `127.0.0.1:${port}` })],
  ['rewrites Origin', originOfLocalhost],
  ['rewrites Origin, and says https', (port) => ({ origin: `https://localhost:${port}` })],
  ['rewrites both', (port) => ({ ...toLocalhost(port), ...originOfLocalhost(port) })],
  [
    'rewrites both, to different names',
    (port) => ({ host: `127.0.0.1:${port}`, ...originOfLocalhost(port) }),
  ],
  ['keeps both, and adds X-Forwarded headers', () => forwarded],
  [
    'rewrites Host, and adds X-Forwarded headers',
    (port) => ({ ...toLocalhost(port), ...forwarded }),
  ],
  [
    'rewrites Origin, and adds X-Forwarded headers',
    (port) => ({ ...originOfLocalhost(port), ...forwarded }),
  ],
]

/** Starts a forwarder. Like those of editors, it sends an Origin only where the browser has sent one. */
async function startForwarder(port: number, rewrite: Rewrite): Promise<string> {
  const headersFor = (headers: IncomingHttpHeaders): OutgoingHttpHeaders => {
    const { origin, ...rest } = { ...headers, ...rewrite(port) }
    return headers.origin === undefined ? rest : { ...rest, origin }
  }
  const server = http.createServer((request, response) => {
    const { method, url } = request
    const headers = headersFor(request.headers)
    const onward = http.request(
      { host: '127.0.0.1', port, method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('upgrade', (request, socket) => {
    const onward = connect(port, '127.0.0.1', () => {
      const lines = Object.entries(headersFor(request.headers)).map(
        ([name, value]) => `${name}: ${String(value)}`,
      )
      onward.write([`GET ${request.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  return serve(server)
}

const ofOwnPage = { origin: publicUrl, 'sec-fetch-site': 'same-origin' }
const ofForeignPage = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

/** Browser that knows the sandbox by its public URL alone. */
function createBrowser(root: string) {
  const cookies = new Map<string, string>()
  const send = async (
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    body?: string,
  ): Promise<PlainResponse> => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const sent = { host: publicHost, ...(cookie === '' ? {} : { cookie }), ...headers }
    const answer = await sendPlain(`${root}${path}`, sent, {
      method,
      ...(body === undefined ? {} : { body }),
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      expect(line).toMatch(/; Secure/)
      cookies.set(name, value)
    }
    return answer
  }
  return {
    cookies,
    open: (path: string) =>
      send('GET', path, { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }),
    submit: (path: string, form: Record<string, string>, page: OutgoingHttpHeaders) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      return send('POST', path, { ...type, ...page }, encode(form))
    },
    call: (method: string, path: string, page: OutgoingHttpHeaders, body?: object) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      return send(method, path, { ...type, ...page }, body && JSON.stringify(body))
    },
    /** Returns the status of the live feed: 101 when it opens. A browser may leave out Fetch metadata here. */
    follow: (page: Record<string, string | undefined>) =>
      new Promise<number>((resolve, reject) => {
        const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
        const headers = { host: publicHost, cookie, ...page }
        const socket = new WebSocket(`${root.replace('http', 'ws')}/_sandbox/live`, { headers })
        onTestFinished(() => socket.terminate())
        socket.once('open', () => resolve(101))
        socket.once('unexpected-response', (request, { statusCode = 0 }) => {
          request.destroy()
          resolve(statusCode)
        })
        socket.once('error', reject)
      }),
  }
}

describe.each(cases)('behind a port forwarder that %s', (_name, rewrite) => {
  let sandbox: Sandbox
  let browser: ReturnType<typeof createBrowser>
  let consentPath = ''
  beforeEach(async () => {
    const port = await freePort()
    sandbox = await startTestSandbox({ baseUrl: publicUrl, port })
    browser = createBrowser(await startForwarder(port, rewrite))
    const { public: app } = defaultApps(sandbox)
    consentPath = `/oauth/authorize?${encode({
      client_id: app.clientId,
      redirect_uri: app.redirectUris[0],
      response_type: 'code',
      scope: 'openid profile',
      ...pkce,
    })}`
  })

  /** Opens the dashboard URL that the sandbox prints, as far as the cookie. */
  const openDashboard = async () => {
    expect(sandbox.dashboardUrl.startsWith(`${publicUrl}/_sandbox/?token=`)).toBe(true)
    const exchanged = await browser.open(sandbox.dashboardUrl.slice(publicUrl.length))
    expect([exchanged.status, exchanged.headers.location]).toEqual([303, '/_sandbox/'])
  }

  test('a user signs in, consents and signs out', async () => {
    const asked = await browser.open(consentPath)
    expect(asked.headers.location).toMatch(/^\/login\?/)
    const next = new URLSearchParams(asked.headers.location?.split('?')[1]).get('next') ?? '/'
    const signedIn = await browser.submit('/login', { user: 'alice', next }, ofOwnPage)
    expect(signedIn.status).toBe(303)
    const { action, fields } = formOf((await browser.open(signedIn.headers.location ?? '')).body)
    const consented = await browser.submit(action, { ...fields, decision: 'approve' }, ofOwnPage)
    expect(consented.status).toBe(303)
    expect(new URL(consented.headers.location ?? '').searchParams.get('code')).toBeTruthy()
    expect((await browser.submit('/logout', {}, ofOwnPage)).status).toBe(303)
    expect([...browser.cookies.values()]).toEqual([''])
  })

  test('the dashboard has its page, the control API and the live feed', async ({ skip }) => {
    await openDashboard()
    const made = await browser.call('POST', '/_sandbox/api/sessions', ofOwnPage, { user: 'alice' })
    expect(made.status).toBe(200)
    expect((await browser.call('GET', '/_sandbox/api/overview', ofOwnPage)).status).toBe(200)
    expect(await browser.follow(ofOwnPage)).toBe(101)
    expect(await browser.follow({ origin: publicUrl })).toBe(101)
    const reason = missingBuild('renderer/index.html')
    skip(reason !== undefined, reason)
    const page = await browser.open('/_sandbox/')
    expect([page.status, page.body.includes('<div id=')]).toEqual([200, true])
  })

  test('pages of other origins are refused, although the browser has all cookies', async () => {
    await openDashboard()
    await browser.submit('/login', { user: 'alice' }, ofOwnPage)
    const consent = formOf((await browser.open(consentPath)).body)
    const approval = { ...consent.fields, decision: 'approve' }
    const statuses = {
      login: (await browser.submit('/login', { user: 'bob' }, ofForeignPage)).status,
      logout: (await browser.submit('/logout', {}, ofForeignPage)).status,
      consent: (await browser.submit(consent.action, approval, ofForeignPage)).status,
      control: (await browser.call('GET', '/_sandbox/api/overview', ofForeignPage)).status,
      api: (await browser.call('GET', '/api/whoami-v2', ofForeignPage)).status,
      live: await browser.follow(ofForeignPage),
    }
    expect(new Set(Object.values(statuses))).toEqual(new Set([403]))
  })

  test('nothing of the control API is served without its cookie', async () => {
    for (const page of [ofOwnPage, { origin: publicUrl }]) {
      expect((await browser.call('GET', '/_sandbox/api/overview', page)).status).toBe(401)
      expect(await browser.follow(page)).toBe(401)
    }
    // Where the forwarder hides the origin and the browser has no Fetch metadata, the missing cookie protects.
    const { origin } = ofForeignPage
    expect([401, 403]).toContain(
      (await browser.call('GET', '/_sandbox/api/overview', { origin })).status,
    )
    expect([401, 403]).toContain(await browser.follow({ origin }))
  })
})
