import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  connectSandbox,
  ControlError,
  type Sandbox,
  SandboxClosedError,
  startSandbox,
} from '../../server/index.ts'
import type { AppList } from '../../server/contract/control-apps.ts'
import type { RequestMatch } from '../../server/client/sandbox-api.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { startJsonReceiver } from '../helpers/json-receiver.ts'
import { defaultApps, startTestSandbox, errorOf } from '../helpers/sandbox.ts'
import { callerAt } from '../helpers/cast.ts'

const cli = commandLineWorld()
let elsewhere: string
beforeAll(async () => {
  elsewhere = (await cli.start(['--ephemeral'])).sandbox.url
})

/** Every way to have one; each begins with the fixtures. */
const ways: [string, () => Promise<Sandbox>][] = [
  ['started in this process', () => startSandbox()],
  ['connected to, in this process', async () => connectSandbox((await startTestSandbox()).url)],
  [
    'connected to, in another process',
    async () => {
      const sandbox = await connectSandbox(elsewhere)
      await sandbox.reset()
      return sandbox
    },
  ],
]

async function createWebhook(sandbox: Sandbox, url: string): Promise<void> {
  const request = { url, watched: [{ type: 'org', name: 'acme' }] }
  const alice = callerAt(sandbox, 'hf_sandbox_alice')
  expect((await alice.post('/api/settings/webhooks', request)).status).toBe(200)
}

const whoami = async (sandbox: Sandbox, token: string) =>
  (await callerAt(sandbox, token).get('/api/whoami-v2')).status

describe.each(ways)('a sandbox that was %s', (_name, open) => {
  async function start(): Promise<Sandbox> {
    const sandbox = await open()
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  test('has a URL, an issuer, a dashboard and its fixtures', async () => {
    const sandbox = await start()
    expect(sandbox.issuer).toBe(sandbox.url)
    expect(sandbox.dashboardUrl).toBe(`${sandbox.url}/_sandbox/`)
    expect(sandbox.fixtures.users.map(({ username }) => username)).toContain('alice')
    expect(sandbox.notices).toEqual([])
    const metadata = await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)
    expect(await metadata.json()).toMatchObject({ issuer: sandbox.issuer })
  })

  test('signs in without a browser, and the clock expires the token', async () => {
    const sandbox = await start()
    const token = await sandbox.signIn({ user: 'bob', scope: 'openid profile' })
    expect(token).toMatchObject({
      token_type: 'bearer',
      expires_in: 28_800,
      scope: 'openid profile',
    })
    expect(token.id_token).toBeDefined()
    expect(await whoami(sandbox, token.access_token)).toBe(200)
    await sandbox.clock.advance('8h')
    expect(await whoami(sandbox, token.access_token)).toBe(401)
  })

  test('signs in to an app with a secret', async () => {
    const sandbox = await start()
    const { clientId } = defaultApps(sandbox).confidential
    const token = await sandbox.signIn({ clientId, scope: 'openid' })
    expect(await whoami(sandbox, token.access_token)).toBe(200)
  })

  test('signs in to the app of a Space, which has no redirect URI', async () => {
    const sandbox = await start()
    const { items } = await sandbox.control<AppList>('GET', 'apps')
    const app = items.find(({ origin }) => origin === 'space')
    expect(app).toMatchObject({ redirectUris: [] })
    const token = await sandbox.signIn({ clientId: app?.clientId ?? '', scope: 'openid email' })
    expect(token.scope).toBe('openid email')
    expect(await whoami(sandbox, token.access_token)).toBe(200)
  })

  test('names the mistake in the options of a sign-in', async () => {
    const sandbox = await start()
    await expect(sandbox.signIn({ user: 'nobody' })).rejects.toThrow(/nobody/)
    await expect(sandbox.signIn({ clientId: 'nothing' })).rejects.toThrow(/nothing/)
  })

  test('leaves unknown scopes out of a sign-in', async () => {
    const sandbox = await start()
    const { scope } = await sandbox.signIn({ scope: 'openid read-everything' })
    expect(scope).toBe('openid')
  })

  test.each(['read-everything', ' ', ''])('refuses the scope %j of a sign-in', async (scope) => {
    const sandbox = await start()
    await expect(sandbox.signIn({ scope })).rejects.toThrow(/Unknown scope|names no scope/)
    expect((await sandbox.signIn()).scope).toContain('openid')
  })

  /** Redirect URI of the app. */
  function loginOf(sandbox: Sandbox, more: Record<string, string> = {}): URL {
    const { clientId, redirectUris } = defaultApps(sandbox).public
    const request = {
      client_id: clientId,
      redirect_uri: redirectUris[0]!,
      response_type: 'code',
      state: 'its own',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      ...more,
    }
    return new URL(`/oauth/authorize?${new URLSearchParams(request)}`, sandbox.issuer)
  }

  test('answers the authorization request of an app for a user, who may deny', async () => {
    const sandbox = await start()
    const login = loginOf(sandbox)
    const back = new URL(await sandbox.authorize(login.href, { user: 'bob' }))
    expect(back.searchParams.get('state')).toBe('its own')
    expect(back.searchParams.get('code')).toBeTruthy()
    const another = loginOf(sandbox, { state: 'another' })
    const denied = new URL(await sandbox.authorize(another, { user: 'bob', decision: 'deny' }))
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'another',
    })
    // A path, another name of this machine, and parameters that mean nothing to the hub.
    const path = await sandbox.authorize(`${login.pathname}${login.search}&user=mallory`)
    expect(new URL(path).searchParams.has('code')).toBe(true)
    login.hostname = '127.0.0.1'
    expect(new URL(await sandbox.authorize(login)).searchParams.has('code')).toBe(true)
    const flows = await sandbox.flows()
    expect(flows.map(({ user }) => user?.username)).toEqual(['bob', 'bob', 'alice', 'alice'])
    expect(flows[1]).toMatchObject({ outcome: 'refused', denied: true })
  })

  test('names the mistake in the URL of an authorization request', async () => {
    const sandbox = await start()
    const elsewhere = 'https://huggingface.co/oauth/authorize?client_id=x'
    expect((await errorOf(sandbox.authorize(elsewhere)))?.message).toBe(
      `The app redirects to https://huggingface.co, which is not the sandbox: set its provider URL (OPENID_PROVIDER_URL) to ${sandbox.issuer}.`,
    )
    const page = await errorOf(sandbox.authorize(`${sandbox.url}/login?next=/`))
    expect(page?.message).toContain('/login is not the authorization endpoint: use the URL that')
    expect((await errorOf(sandbox.authorize(null)))?.message).toContain(
      'did its login route redirect?',
    )
    const unknown = loginOf(sandbox, { client_id: 'nobody' })
    expect(await errorOf(sandbox.authorize(unknown))).toMatchObject({ status: 400 })
    const twice = `${loginOf(sandbox).href}&state=second`
    expect(new URL(await sandbox.authorize(twice)).searchParams.get('error')).toBe(
      'invalid_request',
    )
  })

  test('triggers events and waits for past or coming deliveries', async () => {
    const sandbox = await start()
    const receiver = await startJsonReceiver()
    await createWebhook(sandbox, receiver.url)
    const coming = sandbox.waitForDelivery(({ state }) => state === 'succeeded')
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    const delivered = await coming
    expect(delivered.id).toBe(deliveries[0]?.id)
    expect(delivered.attempts).toMatchObject([{ number: 1, source: 'auto', status: 200 }])
    expect(delivered.payload).toEqual(receiver.bodies[0])
    await sandbox.idle()
    const past = await sandbox.waitForDelivery(({ repo }) => repo === 'acme/corpus')
    expect(past.id).toBe(delivered.id)
    await sandbox.trigger({ event: 'repo.update', repo: 'acme/corpus' })
    await sandbox.idle()
    expect((await sandbox.waitForDelivery()).id).toBe(delivered.id)
    const scopes = async (...which: Parameters<Sandbox['deliveries']>) =>
      (await sandbox.deliveries(...which)).map(({ scope }) => scope)
    expect(await scopes()).toEqual(['repo.content', 'repo'])
    expect(await scopes({ scope: 'repo' })).toEqual(['repo'])
    expect(await scopes({ since: new Date(Date.now() + 3_600_000) })).toEqual([])
  })

  test('reports the deliveries that came instead of the expected one', async () => {
    const sandbox = await start()
    const never = () => sandbox.waitForDelivery(() => false, { timeoutMs: 50 })
    await expect(never()).rejects.toThrow('no such delivery within 50 ms; there was none')
    const receiver = await startJsonReceiver()
    await createWebhook(sandbox, receiver.url)
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    const error = await vi.waitFor(async () => {
      const late = await errorOf(never())
      expect(late?.message).toContain('acme/corpus')
      return late
    }, 30_000)
    expect(error?.message).toMatch(
      /there was:\n {2}repo\.content update of acme\/corpus: succeeded/,
    )
  })

  test('approves a device', async () => {
    const sandbox = await start()
    const { clientId } = defaultApps(sandbox).commandLine
    const post = async (path: string, form: Record<string, string>) => {
      const body = new URLSearchParams({ client_id: clientId, ...form })
      return (await (await fetch(sandbox.url + path, { method: 'POST', body })).json()) as Record<
        string,
        string
      >
    }
    const device = await post('/oauth/device', {})
    await expect(
      sandbox.approveDevice(device['user_code'] ?? '', { user: 'carol' }),
    ).resolves.toEqual({ status: 'approved' })
    const token = await post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device['device_code'] ?? '',
    })
    expect(await whoami(sandbox, token['access_token'] ?? '')).toBe(200)
  })

  test('goes back to the fixtures or to a snapshot, and forks without sharing anything', async () => {
    const sandbox = await start()
    const first = await sandbox.signIn()
    // One of the sandboxes is there longer than the test, and so is what it keeps.
    const name = `signed-in-${randomUUID()}`
    await sandbox.snapshot(name)
    const fork = await sandbox.fork()
    onTestFinished(() => fork.close())
    expect(fork.url).not.toBe(sandbox.url)
    expect(fork.issuer).toBe(fork.url)
    expect(fork.fixtures).toEqual(sandbox.fixtures)
    expect(await whoami(fork, first.access_token)).toBe(200)
    const forked = await fork.signIn()
    expect(await whoami(sandbox, forked.access_token)).toBe(401)

    await sandbox.reset()
    expect(await whoami(sandbox, first.access_token)).toBe(401)
    expect(await whoami(fork, first.access_token)).toBe(200)
    await sandbox.restore(name)
    expect(await whoami(sandbox, first.access_token)).toBe(200)
    await fork.close()
    await expect(fetch(`${fork.url}/_sandbox/health`)).rejects.toThrow('fetch failed')
    expect(await whoami(sandbox, first.access_token)).toBe(200)
  })

  test('returns the requests and the sign-ins that they belong to', async () => {
    const sandbox = await start()
    await sandbox.signIn({ user: 'alice' })
    await whoami(sandbox, 'hf_nothing')
    const all = await sandbox.requests()
    expect(all.map(({ method, path, status }) => [method, path.split('?')[0], status])).toEqual([
      ['GET', '/oauth/authorize', 303],
      ['POST', '/oauth/token', 200],
      ['GET', '/api/whoami-v2', 401],
    ])
    expect(await sandbox.requests({ refused: true })).toEqual(all.slice(2))
    expect(await sandbox.requests({ refused: false, user: 'alice' })).toEqual(all.slice(0, 1))
    expect(await sandbox.requests({ since: new Date(Date.now() + 3_600_000) })).toEqual([])
    const flows = await sandbox.flows()
    expect(flows).toMatchObject([{ user: { username: 'alice' }, requestCount: 2 }])
    expect(flows[0]?.explanation).toMatch(/\w+\.$/)
  })

  test('lists, creates and revokes tokens', async () => {
    const sandbox = await start()
    const before = await sandbox.tokens.list()
    const { access_token: token } = await sandbox.tokens.mint({ user: 'bob', role: 'read' })
    expect(await whoami(sandbox, token)).toBe(200)
    expect((await sandbox.tokens.list()).map((one) => one.token)).toEqual([
      ...before.map((one) => one.token),
      token,
    ])
    await sandbox.tokens.revoke(token)
    expect(await whoami(sandbox, token)).toBe(401)
    expect(await sandbox.tokens.list({ user: 'bob', state: 'revoked' })).toMatchObject([{ token }])
    await expect(sandbox.tokens.revoke('hf_nothing')).rejects.toBeInstanceOf(ControlError)
  })

  test('exports its state as fixtures for another sandbox', async () => {
    const sandbox = await start()
    const { access_token: token } = await sandbox.tokens.mint({ user: 'bob', role: 'read' })
    const other = await startTestSandbox({ fixtures: await sandbox.export() })
    expect(await whoami(other, token)).toBe(200)
  })

  test('waits for a past or coming request and returns it with its response', async () => {
    const sandbox = await start()
    const coming = sandbox.expectRequest({ path: '/api/*', status: 401 })
    await sandbox.signIn({ user: 'alice' })
    await whoami(sandbox, 'hf_nothing')
    const refused = await coming
    expect(refused).toMatchObject({ method: 'GET', path: '/api/whoami-v2', status: 401 })
    expect(refused.response.body).toContain('error')
    const authorize = await sandbox.expectRequest({
      method: 'get',
      path: '/oauth/authorize',
      status: '3xx',
      user: 'alice',
      clientId: defaultApps(sandbox).public.clientId,
      parameters: { code_challenge_method: 'S256', code_challenge: /^[\w-]{43}$/ },
    })
    expect(authorize.status).toBe(303)
    const token = await sandbox.expectRequest(({ grantType }) => grantType !== undefined)
    expect(token).toMatchObject({ path: '/oauth/token', flowId: authorize.flowId })
  })

  test('refuses unknown options and values that are not objects', async () => {
    const sandbox = await start()
    const loose = sandbox as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    const calls: [string, unknown[], string][] = [
      ['signIn', [{ usr: 'bob' }], 'signIn() has no option "usr" (did you mean "user"?)'],
      ['signIn', ['bob'], 'signIn() takes an object of options, not "bob"'],
      ['idle', [{ timeout: 5 }], 'idle() has no option "timeout" (did you mean "timeoutMs"?)'],
      ['approveDevice', ['AAAA-BBBB', { deny: true }], 'has no option "deny"; known are user,'],
      [
        'waitForDelivery',
        [() => true, { timeout: 5 }],
        'waitForDelivery() has no option "timeout"',
      ],
      ['expectRequest', [{ path: '/' }, { timeout: 5 }], 'expectRequest() has no option "timeout"'],
      ['trigger', ['repo.content'], 'trigger() takes an object such as { event: '],
      ['waitForDelivery', [{ state: 'failed' }], 'such as ({ state }) => state ==='],
      // A timer of Node would be over at once.
      ['waitForDelivery', [() => true, { timeoutMs: Infinity }], 'to 2147483647, not Infinity'],
      ['expectRequest', [{ path: '/' }, { timeoutMs: 2 ** 31 }], 'to 2147483647, not 2147483648'],
      ['idle', [{ timeoutMs: Number.NaN }], 'idle() takes timeoutMs from 0 to 2147483647, not NaN'],
      ['requests', [{ since: 'yesterday' }], 'since takes a Date or a time such as 2030'],
      ['deliveries', [{ since: new Date(Number.NaN) }], 'not Invalid Date'],
    ]
    for (const [name, args, message] of calls) {
      const error = await errorOf(Promise.resolve(loose[name]?.(...args)))
      expect(error).toBeInstanceOf(TypeError)
      expect(error?.message).toContain(message)
    }
  })

  test('refuses to wait for a request by an unknown field', async () => {
    const sandbox = await start()
    await sandbox.signIn({ user: 'alice' })
    const expecting = (match: unknown) => errorOf(sandbox.expectRequest(match as RequestMatch))
    expect(await expecting({ pth: '/never' })).toEqual(
      new TypeError('expectRequest() cannot match by "pth" (did you mean "path"?)'),
    )
    expect((await expecting({ route: '/never' }))?.message).toContain('"route"; known are method,')
    expect((await expecting('/never'))?.message).toContain('or a function, not "/never"')
    const matched = 'expectRequest() matches'
    expect((await expecting({ path: /oauth/ }))?.message).toBe(
      `${matched} path by a string, not /oauth/`,
    )
    expect((await expecting({ status: '200' }))?.message).toBe(
      `${matched} status by a number, or a class such as "4xx", not "200"`,
    )
    expect((await expecting({ parameters: { scope: ['openid'] } }))?.message).toBe(
      `${matched} scope by a string or a pattern, not ["openid"]`,
    )
  })

  test('refuses an async filter, which would match everything', async () => {
    const sandbox = await start()
    await sandbox.signIn({ user: 'alice' })
    const never = (async () => false) as unknown as () => boolean
    const message = 'takes a synchronous function, not an async one'
    expect((await errorOf(sandbox.expectRequest(never)))?.message).toBe(
      `expectRequest() ${message}`,
    )
    const { url } = await startJsonReceiver()
    const watched = [{ type: 'org', name: 'acme' }]
    await sandbox.control('POST', 'webhooks', { user: 'alice', url, watched })
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    expect((await errorOf(sandbox.waitForDelivery(never)))?.message).toBe(
      `waitForDelivery() ${message}`,
    )
  })

  test('reports the requests that came instead of the expected one, nearest first', async () => {
    const sandbox = await start()
    const expecting = (...[match]: Parameters<Sandbox['expectRequest']>) =>
      errorOf(sandbox.expectRequest(match, { timeoutMs: 250 }))
    /** Once the log was read in so short a time, as it may not be on a slow machine. */
    const failing = (...[match]: Parameters<Sandbox['expectRequest']>) =>
      vi.waitFor(async () => {
        const { message } = (await expecting(match)) ?? new Error('there was such a request')
        expect(message).toContain('the closest of 2 received:')
        return message
      }, 30_000)
    expect(await expecting({})).toEqual(
      new Error('no such request within 250 ms; the sandbox received no requests'),
    )
    await fetch(`${sandbox.url}/api/whoami-v2`, { headers: { 'X-Client': 'one' } })
    await fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', scope: 'openid' }),
    })
    const message = await failing({
      method: 'POST',
      path: '/oauth/token',
      parameters: { scope: 'openid profile' },
      headers: { 'X-Client': 'one' },
    })
    const [first, second, third] = message.split('\n')
    expect(first).toBe('no such request within 250 ms; the closest of 2 received:')
    // Which of the two is nearer: both differ in two things, and the latest goes first.
    expect(second).toMatch(
      /^ {2}POST \/oauth\/token -> 40\d invalid_\w+ \(.+\): scope is openid, not openid profile, header X-Client is absent, not one$/,
    )
    expect(third).toMatch(
      /^ {2}GET \/api\/whoami-v2 -> 401.*: method is GET, not POST, path is \/api\/whoami-v2, not \/oauth\/token$/,
    )
    expect(await failing({ user: 'carol', status: 200 })).toContain(
      'status is 401, not 200, user is absent, not carol',
    )
    expect(await failing(() => false)).toContain('it does not match')
  })

  test('refuses like the control API, with every mistake', async () => {
    const sandbox = await start()
    const refusal = await errorOf(sandbox.trigger({ event: 'repo.nothing', repo: 'acme/corpus' }))
    expect(refusal).toBeInstanceOf(ControlError)
    expect((refusal as ControlError).status).toBe(400)
    expect(refusal?.message).toContain('repo.nothing')
  })

  test('reports that a call comes after close', async () => {
    const sandbox = await open()
    const calls = callsOf(sandbox)
    await sandbox.close()
    const said = await Promise.all(
      calls.map(async ([name, call]) => [name, await errorOf(call())] as const),
    )
    expect(said).toEqual(calls.map(([name]) => [name, new SandboxClosedError(name.slice(0, -2))]))
    expect(said.every(([, error]) => error instanceof SandboxClosedError)).toBe(true)
    const names = calls.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(['trigger()', 'fork()', 'clock.advance()']))
    expect(names.length).toBeGreaterThan(28)
    expect(String(said[0]?.[1])).toMatch(/^SandboxClosedError: the sandbox is closed: /)
    expect(sandbox.fixtures.users[0]?.username).toBe('alice')
  })

  test('rejects pending waits on close without waiting for them', async () => {
    const sandbox = await start()
    await sandbox.clock.freeze()
    // Nobody is there, so a retry waits for the clock.
    await createWebhook(sandbox, 'http://127.0.0.1:9/')
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.waitForDelivery(({ state }) => state === 'waiting')
    const longMs = 600_000
    const waits = [
      sandbox.idle({ timeoutMs: longMs, waiting: true }),
      sandbox.waitForDelivery(({ state }) => state === 'succeeded', { timeoutMs: longMs }),
      sandbox.expectRequest({ path: '/never' }, { timeoutMs: longMs }),
    ].map(errorOf)
    await sandbox.close()
    for (const error of await Promise.all(waits)) expect(error).toBeInstanceOf(SandboxClosedError)
  })

  test('is closed by await using, too', async () => {
    const sandbox = await open()
    await sandbox[Symbol.asyncDispose]()
    await expect(sandbox.reset()).rejects.toBeInstanceOf(SandboxClosedError)
    await sandbox.close()
  })
})

/** Every method of a handle by its name, but those that close it. */
function callsOf(part: object, owner = ''): [string, () => Promise<unknown>][] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') {
      return name === 'close' ? [] : [[`${owner}${name}()`, async () => value() as unknown]]
    }
    const isGroup = owner === '' && typeof value === 'object' && value !== null
    return isGroup ? callsOf(value, `${name}.`) : []
  })
}
