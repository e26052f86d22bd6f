import type { StartedSession } from '../../server/contract/control-sign-in.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../../server/contract/words/oauth-words.ts'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { fixture, signedRequest } from '../../server/receiver/testing.ts'
import {
  basic,
  challenge,
  encode,
  type Parameters,
  verifier,
  type Device,
} from '../helpers/oauth-client.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'
import { quietWebhooks } from '../unit/receiver/kit.ts'
import { serve } from '../helpers/json-receiver.ts'

// The security rules of the sandbox, each by its number and over a real socket: what a page or a program on this
// machine could do is tried as it would do it, with headers that no test client adds or leaves out by itself.

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

interface Ask {
  method?: string
  headers?: http.OutgoingHttpHeaders
  form?: Parameters
  json?: unknown
  url?: string
}

const redirectUri = 'http://localhost/callback'
const evil = 'https://evil.example'

let sandbox: Sandbox
/** Addresses that anything in this process has connected to. */
const connected = new Set<string>()
const noteConnection = (message: unknown) => {
  const { socket } = message as { socket: net.Socket }
  socket.once('connect', () => connected.add(socket.remoteAddress ?? 'a local socket'))
}

beforeAll(async () => {
  subscribe('net.client.socket', noteConnection)
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox.close()
  unsubscribe('net.client.socket', noteConnection)
})

async function send(path: string, { method, headers, form, json, url }: Ask = {}): Promise<Answer> {
  const body = form === undefined ? json && JSON.stringify(json) : encode(form)
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const request = http.request((url ?? sandbox.url) + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    agent: false,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
  })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}

const portOf = (url: string) => new URL(url).port
const json = ({ body }: Answer) => JSON.parse(body) as unknown
const clientId = () => defaultApps(sandbox).public.clientId

async function cookieOf(user: string): Promise<{ cookie: string }> {
  const { name, value } = await sandbox.control<StartedSession>('POST', 'sessions', { user })
  return { cookie: `${name}=${value}` }
}

const authorizePath = (more: Parameters = {}) =>
  `/oauth/authorize?${encode({
    response_type: 'code',
    client_id: clientId(),
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state: 'the-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`

/** Approves as a program that has the user's cookie. */
async function approve(user: string, more: Parameters = {}): Promise<URLSearchParams> {
  const headers = await cookieOf(user)
  const answer = await send(authorizePath(more), { method: 'POST', headers, form: {} })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.location ?? '').searchParams
}

const getCode = async (user: string, more: Parameters = {}) =>
  (await approve(user, more)).get('code') ?? ''

const token = (form: Parameters, headers = {}) => send('/oauth/token', { form, headers })

const redeem = (code: string, more: Parameters = {}) =>
  token({
    grant_type: 'authorization_code',
    client_id: clientId(),
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code,
    ...more,
  })

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  error: string
}
const tokensOf = (answer: Answer) => json(answer) as Tokens

const signIn = async (user = 'alice') => tokensOf(await redeem(await getCode(user)))
const userinfo = (accessToken: string) =>
  send('/oauth/userinfo', { headers: { authorization: `Bearer ${accessToken}` } })

const refresh = (refreshToken: string, more: Parameters = {}) =>
  token({
    grant_type: 'refresh_token',
    client_id: clientId(),
    refresh_token: refreshToken,
    ...more,
  })

const exchange = (email: string, headers: http.OutgoingHttpHeaders) =>
  token(
    {
      grant_type: tokenExchangeGrant,
      subject_token: email,
      subject_token_type: 'urn:service:token-type:user-email',
    },
    headers,
  )

const exchangeApp = () => {
  const { clientId, clientSecret = '' } = defaultApps(sandbox).exchange
  return basic({ id: clientId }, clientSecret)
}

const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }

describe('the security rules of the sandbox', () => {
  test('rule 1: listens on loopback only', async ({ skip }) => {
    const connects = async (host: string) => {
      const socket = net.connect(Number(portOf(sandbox.url)), host)
      onTestFinished(() => void socket.destroy())
      return new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      })
    }
    expect(await connects('127.0.0.1')).toBe(true)
    const outer = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    skip(outer.length === 0, 'this machine has loopback alone')
    for (const { address } of outer) expect(await connects(address)).toBe(false)
    for (const { address } of outer) connected.delete(address)
  })

  test('rule 2: responds to known hosts only, upgrades and posts as well', async () => {
    const headers = { host: `evil.example:${portOf(sandbox.url)}` }
    for (const ask of [
      { path: '/oauth/jwks', headers },
      { path: '/_sandbox/api/tokens', headers },
      { path: '/login', headers, form: { user: 'alice' } },
      { path: '/_sandbox/live', headers: { ...headers, ...upgrade } },
    ]) {
      const { path, ...rest } = ask
      const answer = await send(path, rest)
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.headers).not.toHaveProperty('set-cookie')
    }
    const headersOfOwn = { host: `hub.localhost:${portOf(sandbox.url)}` }
    expect((await send('/oauth/jwks', { headers: headersOfOwn })).status).toBe(200)
  })

  test('rule 3: protects the control API on the shared port', async () => {
    const headers = { origin: 'http://localhost:3000' }
    expect((await send('/oauth/jwks', { headers })).status).toBe(200)
    expect((await send('/_sandbox/api/tokens', { headers })).status).toBe(403)
    const minted = await send('/_sandbox/api/tokens', { headers, json: { user: 'alice' } })
    expect(minted.status).toBe(403)
    const live = await send('/_sandbox/live', { headers: { ...headers, ...upgrade } })
    expect(live.status).toBe(403)
  })

  test('rule 4: the control API requires its own origin, JSON, and the token if there is one', async () => {
    const call = (headers: http.OutgoingHttpHeaders, url = sandbox.url) =>
      send('/_sandbox/api/users', { url, headers, json: { username: 'intruder' } })
    for (const headers of [
      { origin: evil },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await call(headers)
      expect([headers, answer.status]).toEqual([headers, 403])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    }
    expect((await call({ 'content-type': 'text/plain' })).status).toBe(415)
    const users = await send('/_sandbox/api/users')
    expect(users.headers).not.toHaveProperty('access-control-allow-origin')
    expect(users.body).not.toContain('intruder')

    const { url } = await startTestSandbox({ controlToken: 'the-control-token' })
    expect((await call({}, url)).status).toBe(401)
    expect((await call({ authorization: 'Bearer wrong' }, url)).status).toBe(401)
    expect((await call({ authorization: 'Bearer the-control-token' }, url)).status).toBe(201)
    const live = await send('/_sandbox/live', { url, headers: upgrade })
    expect(live.status).toBe(401)
  })

  test('rule 5: reads of other origins are refused, not only unreadable; metadata is open', async () => {
    for (const origin of [evil, 'null']) {
      const answer = await send('/api/whoami-v2', {
        headers: { origin, authorization: 'Bearer hf_sandbox_alice' },
      })
      expect([origin, answer.status]).toEqual([origin, 403])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(answer.body).not.toContain('alice')
    }
    const page = await send('/api/whoami-v2', {
      headers: { origin: 'http://localhost:3000', authorization: 'Bearer hf_sandbox_alice' },
    })
    expect(page.headers['access-control-allow-origin']).toBe('http://localhost:3000')
    expect(page.headers).not.toHaveProperty('access-control-allow-credentials')
    const metadata = await send('/.well-known/openid-configuration', { headers: { origin: evil } })
    expect(metadata.headers['access-control-allow-origin']).toBe('*')
  })

  test('rule 6: consent cannot be framed or posted by others, and is checked again when posted', async () => {
    const cookie = await cookieOf('carol')
    const page = await send(authorizePath({ prompt: 'consent' }), { headers: cookie })
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    )
    expect(page.headers['content-security-policy']).not.toMatch(/script-src|unsafe|form-action/)
    expect(page.headers['x-frame-options']).toBe('DENY')
    expect(page.body).not.toMatch(/<script/i)
    for (const headers of [
      { origin: evil },
      { 'sec-fetch-site': 'cross-site' },
      // A page of our own, but without the nonce of its form.
      { origin: sandbox.url, 'sec-fetch-site': 'same-origin' },
    ]) {
      const answer = await send(authorizePath(), {
        method: 'POST',
        headers: { ...cookie, ...headers },
        form: { decision: 'approve' },
      })
      expect([headers, answer.status >= 400]).toEqual([headers, true])
      expect(answer.headers).not.toHaveProperty('location')
    }
    const elsewhere = await send(authorizePath({ redirect_uri: `${evil}/` }), {
      method: 'POST',
      headers: cookie,
      form: { redirect_uri: redirectUri },
    })
    expect(elsewhere.status).toBe(400)
  })

  test('rule 7: redirect URIs are compared exactly, except for loopback ports', async () => {
    const cookie = await cookieOf('alice')
    for (const uri of [
      'http://localhost/callback/',
      'http://localhost/callback?x=1',
      'http://localhost/callback#x',
      'http://localhost.evil.example/callback',
      'http://user@localhost/callback',
      'https://localhost/callback',
      'http://localhost/CALLBACK',
      'javascript:alert(1)',
      'data:text/html,x',
    ]) {
      const answer = await send(authorizePath({ redirect_uri: uri }), { headers: cookie })
      expect([uri, answer.status, answer.headers.location]).toEqual([uri, 400, undefined])
    }
    const otherPort = authorizePath({ redirect_uri: 'http://localhost:54321/callback' })
    expect((await send(otherPort, { headers: cookie })).status).toBeLessThan(400)
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///x',
      'https:evil',
      'blob:x',
    ]) {
      const answer = await send('/oauth/register', { json: { redirect_uris: [uri] } })
      expect([uri, answer.status]).toEqual([uri, 400])
    }
  })

  test('rule 8: redirects only to registered URIs, with error and state', async () => {
    const headers = await cookieOf('alice')
    for (const more of [{ client_id: 'nobody' }, { redirect_uri: `${evil}/` }]) {
      const answer = await send(authorizePath(more), { headers })
      expect([answer.status, answer.headers.location]).toEqual([400, undefined])
    }
    const refused = await send(authorizePath({ response_type: 'token' }), { headers })
    const location = new URL(refused.headers.location ?? '')
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri)
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error: 'unsupported_response_type',
      state: 'the-state',
    })
    const login = await send('/login', { form: { user: 'alice', next: '//evil.example/' } })
    expect(login.headers.location ?? '').not.toContain('evil.example')
  })

  test('rule 9: public apps need PKCE with S256, and the verifier must match', async () => {
    const none = { code_challenge: undefined, code_challenge_method: undefined }
    expect((await approve('alice', none)).get('error')).toBe('invalid_request')
    const plain = { code_challenge: 'p'.repeat(43), code_challenge_method: 'plain' }
    expect((await approve('alice', plain)).get('error')).toBe('invalid_request')
    for (const wrong of [undefined, 'x'.repeat(43), 'short', 'x'.repeat(129)]) {
      const answer = await redeem(await getCode('alice'), { code_verifier: wrong })
      expect([wrong, answer.status]).toEqual([wrong, 400])
    }
    const { clientId, clientSecret = '' } = defaultApps(sandbox).confidential
    const code = await getCode('alice', { ...none, client_id: clientId })
    const unasked = await token(
      {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        code,
      },
      basic({ id: clientId }, clientSecret),
    )
    expect(unasked.status).toBe(400)
  })

  test('rule 10: a code works once, for its app and redirect URI; a reuse revokes its tokens', async () => {
    expect(
      (await redeem(await getCode('alice'), { redirect_uri: 'http://localhost/' })).status,
    ).toBe(400)
    const { commandLine } = defaultApps(sandbox)
    const other = await redeem(await getCode('alice'), { client_id: commandLine.clientId })
    expect(other.status).toBe(400)
    const code = await getCode('alice')
    const { access_token: accessToken } = tokensOf(await redeem(code))
    expect((await userinfo(accessToken)).status).toBe(200)
    expect((await redeem(code)).status).toBe(400)
    expect((await userinfo(accessToken)).status).toBe(401)
  })

  test('rule 11: refresh tokens rotate, a reuse revokes the family, and scope only narrows', async () => {
    const first = await signIn()
    const wider = await refresh(first.refresh_token, { scope: 'openid profile write-repos' })
    expect(wider.status).toBe(400)
    const second = tokensOf(await refresh(first.refresh_token, { scope: 'openid' }))
    expect(second.scope).toBe('openid')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await refresh(first.refresh_token)).status).toBe(400)
    expect((await refresh(second.refresh_token)).status).toBe(400)
    expect((await userinfo(second.access_token)).status).toBe(401)
  })

  test('rule 12: the issuer is configured, whatever host the request used', async () => {
    const port = portOf(sandbox.url)
    for (const host of [`127.0.0.1:${port}`, `other.localhost:${port}`]) {
      const metadata = await send('/.well-known/openid-configuration', { headers: { host } })
      expect(json(metadata)).toMatchObject({
        issuer: sandbox.url,
        token_endpoint: `${sandbox.url}/oauth/token`,
      })
    }
    expect((await approve('alice')).has('iss')).toBe(false)
  })

  test('rule 13: responses with secrets are not stored, and 303 follows a post', async () => {
    const { access_token: accessToken } = await signIn()
    const answers = [
      await redeem(await getCode('alice')),
      await token({}),
      await send('/oauth/device', { form: { client_id: clientId() } }),
      await send('/oauth/device', { form: {} }),
      await userinfo(accessToken),
      await userinfo('hf_oauth_wrong'),
    ]
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(
      answers.map(() => 'no-store'),
    )
    const login = await send('/login')
    expect(login.headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    expect((await send('/login', { form: { user: 'alice' } })).status).toBe(303)
  })

  test('rule 14: device codes cannot be guessed, are never approved silently, and polls are paced', async () => {
    const app = { client_id: clientId() }
    const poll = async (device_code: string) =>
      tokensOf(await token({ grant_type: deviceCodeGrant, device_code, ...app })).error
    // However slow this machine is, both polls come at once.
    await sandbox.clock.freeze()
    onTestFinished(async () => void (await sandbox.clock.resume()))
    const { device_code: deviceCode, user_code: userCode } = json(
      await send('/oauth/device', { form: { ...app, scope: 'openid' } }),
    ) as Device
    expect(userCode).toMatch(/^[^01OI]{4}-?[^01OI]{4}$/)
    expect(await poll(deviceCode)).toBe('authorization_pending')
    expect(await poll(deviceCode)).toBe('slow_down')
    const headers = await cookieOf('dave')
    await send(`/oauth/device?user_code=${userCode}`, { headers })
    expect(['authorization_pending', 'slow_down']).toContain(await poll(deviceCode))
    const statuses: number[] = []
    for (let count = 0; count < 40 && statuses.at(-1) !== 429; count++) {
      const guess = await send('/oauth/device/verify', {
        headers,
        form: { user_code: 'BBBB-BBBB' },
      })
      statuses.push(guess.status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  test('rule 15: an exchange needs the secret, stays in the organization, and is in the audit log', async () => {
    const rows = async () =>
      (await send('/_sandbox/api/audit-log')).body.split('"createdAt"').length
    const before = await rows()
    expect((await exchange('carol@example.com', {})).status).toBe(401)
    const { clientId } = defaultApps(sandbox).exchange
    expect((await exchange('carol@example.com', basic({ id: clientId }, 'wrong'))).status).toBe(401)
    expect((await exchange('dave@example.com', exchangeApp())).status).toBe(400)
    const granted = await exchange('carol@example.com', exchangeApp())
    expect(granted.status).toBe(200)
    expect(json(granted)).not.toHaveProperty('refresh_token')
    expect(await rows()).toBeGreaterThan(before)
  })

  test('rule 16: a metadata document is small, JSON, at its own URL, and fetched without credentials', async () => {
    const seen: http.IncomingMessage[] = []
    let site = ''
    const described = (path: string, more = {}) =>
      JSON.stringify({
        client_id: site + path,
        client_name: 'A site',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
        ...more,
      })
    site = await serve((request, response) => {
      seen.push(request)
      const { url = '' } = request
      if (url === '/moved') {
        response.writeHead(302, { location: '/target' }).end()
        return
      }
      response.writeHead(200, {
        'content-type': url === '/html' ? 'text/html' : 'application/json',
      })
      if (url === '/target') response.end(described('/moved'))
      else if (url === '/large') response.end(described(url, { x: 'x'.repeat(6000) }))
      else response.end(described(url === '/other' ? '/good' : url))
    })
    const headers = await cookieOf('alice')
    const open = async (path: string) =>
      (await send(authorizePath({ client_id: site + path }), { headers })).status
    expect(await open('/good')).toBe(200)
    for (const path of ['/moved', '/large', '/html', '/other']) {
      expect([path, await open(path)]).toEqual([path, 400])
    }
    expect(seen.map(({ url }) => url)).not.toContain('/target')
    for (const request of seen) {
      expect(request.headers).not.toHaveProperty('cookie')
      expect(request.headers).not.toHaveProperty('authorization')
    }
  })

  test('rule 17: no document is fetched from other machines, and the page names the flag', async () => {
    const answer = await send(authorizePath({ client_id: 'https://93.184.215.14/client' }), {
      headers: await cookieOf('alice'),
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('--allow-network')
    const metadata = await send(authorizePath({ client_id: 'https://169.254.169.254/client' }), {
      headers: await cookieOf('alice'),
    })
    expect(metadata.status).toBe(400)
  })

  test('rule 18: deliveries follow no redirect, and reach neither cloud metadata nor the sandbox', async () => {
    const paths: (string | undefined)[] = []
    const receiver = await serve((request, response) => {
      paths.push(request.url)
      response.writeHead(302, { location: '/followed' }).end()
    })
    const make = (url: string) =>
      send('/api/settings/webhooks', {
        headers: { authorization: 'Bearer hf_sandbox_alice' },
        json: { url, watched: [{ type: 'org', name: 'acme' }], domains: ['repo'] },
      })
    expect((await make('file:///etc/passwd')).status).toBe(400)
    expect((await make(`${receiver}/hook`)).status).toBe(200)
    // Refused when it is made, or when it would be sent.
    for (const target of ['http://169.254.169.254/latest', `${sandbox.url}/_sandbox/api/reset`]) {
      await make(target)
    }
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    expect(deliveries.length).toBeGreaterThan(0)
    expect(new Set(paths)).toEqual(new Set(['/hook']))
    expect(connected).not.toContain('169.254.169.254')
    expect(await sandbox.deliveries({ state: 'succeeded' })).toEqual([])
  })

  test('rule 19: the receiver compares secrets safely, and rejects names like __proto__', async () => {
    const { webhooks } = quietWebhooks()
    let calls = 0
    webhooks.endpoint('a', () => void calls++)
    const { url, close } = await webhooks.listen({ port: 0 })
    onTestFinished(close)
    const deliver = async (secret: string, path: string) => {
      const { headers, body } = signedRequest(fixture('repo.create'), { secret, endpoint: 'a' })
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      return (await fetch(url + path, init)).status
    }
    expect(await deliver('wrong', '/webhooks/a')).toBeGreaterThanOrEqual(400)
    for (const path of [
      '/webhooks/%2e%2e/a',
      '/webhooks/constructor',
      '/webhooks/a/b',
      '/webhooks/',
    ]) {
      expect([path, await deliver('abc', path)]).toEqual([path, 404])
    }
    expect(calls).toBe(0)
    expect(await deliver('abc', '/webhooks/a')).toBe(204)
    expect(calls).toBe(1)
  })

  test('rule 20: the request log contains no secrets', async () => {
    const { access_token: accessToken, refresh_token: refreshToken } = await signIn()
    await userinfo(accessToken)
    await refresh(refreshToken)
    await send('/api/whoami-v2', { headers: { authorization: 'Bearer hf_sandbox_alice' } })
    await exchange('carol@example.com', exchangeApp())
    const { clientSecret = '' } = defaultApps(sandbox).exchange
    for (const path of ['requests?limit=1000', 'requests.har', 'flows']) {
      const { status, body } = await send(`/_sandbox/api/${path}`)
      expect(status).toBe(200)
      const own = [accessToken, refreshToken, 'hf_sandbox_alice', clientSecret, verifier]
      for (const secret of own) {
        expect([path, secret, body.includes(secret)]).toEqual([path, secret, false])
      }
    }
  })

  test('rule 21: tokens are recognizably fake, and private keys are never returned', async () => {
    expect((await signIn()).access_token).toMatch(/^hf_oauth_sandbox_/)
    for (const path of ['/oauth/jwks', '/_sandbox/api/keys']) {
      const { body } = await send(path)
      expect(body).toContain('"kid"')
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi'])
        expect(body).not.toContain(`"${member}":`)
    }
  })

  test.each(['navigation', 'ipc', 'builder'])(
    'rule 22: the desktop app opens no way in; see its unit tests of %s',
    (name) => {
      const file = new URL(`../unit/electron/${name}.test.ts`, import.meta.url)
      expect(existsSync(file)).toBe(true)
    },
  )

  test('rule 23: a foreign fixtures file grants no access', async () => {
    for (const config of [
      { allowHosts: ['evil.example'] },
      { allowOrigins: [evil] },
      { allowNetwork: true },
      { runJobs: { '*': 'sh' } },
      { host: '0.0.0.0' },
    ]) {
      const answer = await send('/_sandbox/api/snapshots', {
        json: { name: 'strange', fixtures: { config } },
      })
      expect([config, answer.status]).toEqual([config, 400])
    }
    expect((await send('/_sandbox/api/snapshots/strange')).status).toBe(404)
  })

  test('rule 25: stored files never run as documents here', async () => {
    const avatar = await send('/avatars/%3Cscript%3Ealert(1)%3C%2Fscript%3E.svg')
    expect(avatar.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
    expect(avatar.headers['x-content-type-options']).toBe('nosniff')
    expect(avatar.body).not.toContain('<script')
    const file = await send('/acme/tagger/resolve/main/index.html', {
      headers: { accept: 'text/html' },
    })
    expect(file.headers['content-type']).not.toMatch(/html|svg|xml/)
    expect(file.headers['x-content-type-options']).toBe('nosniff')
  })

  // The last, since it looks back on all that was done here.
  test('rule 24: nothing calls home', () => {
    const beyond = [...connected].filter((address) => !/^(::ffff:)?127\.|^::1$/.test(address))
    expect(beyond).toEqual([])
    expect(connected.size).toBeGreaterThan(0)
  })
})
