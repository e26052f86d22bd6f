import { describe, expect, test, vi } from 'vitest'
import { DeliveryItem } from '../../server/contract/control-deliveries.ts'
import { FlowList, RequestList } from '../../server/contract/control-requests.ts'
import { TokenList } from '../../server/contract/control-tokens.ts'
import { DemoItem, DemoList } from '../../server/contract/control-demos.ts'
import { demoVariants } from '../../server/contract/words/sandbox-words.ts'
import {
  controlWorld,
  exchangeClient,
  expectConflict,
  expectInvalid,
  expectNotFound,
  publicClient,
  secretClient,
} from '../helpers/control.ts'
import { limitRounds } from '../helpers/limit-rounds.ts'

const { call, hub, read, make, send } = controlWorld()

const start = (body: Record<string, unknown>) => make(DemoItem, 'demos', body)

const next = ({ id }: DemoItem) => send(DemoItem, 'POST', `demos/${id}/next`)

const listed = async () => (await read(DemoList, 'demos')).items

const flowOf = async ({ flowId }: DemoItem) =>
  (await read(FlowList, 'flows')).items.find(({ id }) => id === flowId)

/** Asks until it is so: what a try does by itself, it does between two requests. */
async function until(item: DemoItem, isSo: (now: DemoItem) => boolean): Promise<DemoItem> {
  return vi.waitFor(async () => {
    const now = (await listed()).find(({ id }) => id === item.id)
    if (now === undefined || !isSo(now)) throw new Error(`not yet: ${JSON.stringify(now)}`)
    return now
  })
}

describe('the sandbox plays the app of a whole flow, with requests logged like those of a client', () => {
  test('a sign-in with PKCE, from the authorization request to the claims (RFC 6749 §4.1)', async () => {
    const done = await start({ kind: 'sign-in' })
    expect(done).toMatchObject({
      done: true,
      outcome: 'completed',
      user: 'alice',
      app: { clientId: publicClient, name: 'Public app' },
      played: ['authorization request', 'login', 'consent', 'token request', 'userinfo request'],
    })
    expect(done).not.toHaveProperty('next')
    const flow = await flowOf(done)
    expect(flow).toMatchObject({ kind: 'authorization-code', outcome: 'completed' })
    expect(flow?.user?.username).toBe('alice')
    const paths = flow?.requests.map(({ method, path }) => `${method} ${path.split('?', 1)[0]}`)
    expect(paths).toEqual([
      'GET /oauth/authorize',
      'GET /login',
      'POST /login',
      'GET /oauth/authorize',
      'POST /oauth/authorize',
      'POST /oauth/token',
      'GET /oauth/userinfo',
    ])
  })

  test('a device flow, with the code typed in another browser (RFC 8628)', async () => {
    const done = await start({ kind: 'device', user: 'bob' })
    expect(done).toMatchObject({ outcome: 'completed', user: 'bob' })
    expect(done).not.toHaveProperty('device')
    expect(await flowOf(done)).toMatchObject({ kind: 'device-code', outcome: 'completed' })
  })

  test('a token exchange for a member of the organization (RFC 8693)', async () => {
    const done = await start({ kind: 'exchange' })
    expect(done).toMatchObject({ outcome: 'completed', app: { clientId: exchangeClient } })
    expect(await flowOf(done)).toMatchObject({ kind: 'token-exchange', outcome: 'completed' })
  })

  test('a refresh, whose new token reads the claims (RFC 6749 §6)', async () => {
    const done = await start({ kind: 'refresh' })
    expect(done).toMatchObject({ outcome: 'completed' })
    expect(done.played.slice(-2)).toEqual(['refresh request', 'userinfo request'])
    const flow = await flowOf(done)
    expect(flow).toMatchObject({ kind: 'authorization-code', outcome: 'completed' })
    expect(flow?.requests.filter(({ path }) => path === '/oauth/token')).toHaveLength(2)
  })

  test('a step-up, in which the API refuses the first token and accepts the second (RFC 6750 §3.1)', async () => {
    const done = await start({ kind: 'step-up' })
    expect(done).toMatchObject({ outcome: 'completed' })
    expect(done.played).toEqual([
      'authorization request',
      'login',
      'consent',
      'token request',
      'API request',
      'authorization request',
      'consent',
      'token request',
      'API request',
    ])
    const body = await read(RequestList, 'requests?route=/api/settings/repositories')
    expect(body.items.map(({ status }) => status)).toEqual([200, 403])
    // The newer sign-in is the one to show.
    expect((await flowOf(done))?.requests[0]?.path).toContain('read-repos')
  })

  test('a step-up that the user denies leaves the app with its first token', async () => {
    const done = await start({ kind: 'step-up', decision: 'deny' })
    expect(done).toMatchObject({ outcome: 'refused' })
    expect(done.explanation).toMatch(/^access_denied: /)
    expect(done.played.filter((name) => name === 'token request')).toHaveLength(1)
  })

  test('a silent sign-in shows no page the second time (OpenID Connect Core §3.1.2.1)', async () => {
    const done = await start({ kind: 'silent' })
    expect(done).toMatchObject({ outcome: 'completed' })
    const paths = (await flowOf(done))?.requests.map(({ path }) => path.split('?', 1)[0])
    expect(paths).toEqual(['/oauth/authorize', '/oauth/token', '/oauth/userinfo'])
  })

  test('a demo requests the given scopes', async () => {
    const done = await start({ kind: 'sign-in', scope: 'openid read-repos' })
    const body = await read(TokenList, 'tokens')
    expect(done).toMatchObject({ outcome: 'completed' })
    expect(body.items.some(({ scopes }) => scopes.join(' ') === 'openid read-repos')).toBe(true)
  })

  test('the scopes of an exchange are part of its script', async () => {
    const answer = await call('POST', 'demos', { kind: 'exchange', scope: 'openid' })
    expectInvalid(answer, ['scope'])
  })

  test('a demo uses the requested user and app', async () => {
    const done = await start({ kind: 'sign-in', user: 'Bob', app: secretClient })
    expect(done).toMatchObject({ outcome: 'completed', user: 'bob', app: { name: 'Secret app' } })
  })

  test('a demo can deny', async () => {
    for (const kind of ['sign-in', 'device']) {
      const done = await start({ kind, decision: 'deny' })
      expect(done).toMatchObject({ outcome: 'refused' })
      expect(done.explanation).toMatch(/^access_denied: /)
    }
  })

  test('a user with a password signs in with it', async () => {
    await call('PATCH', 'users/alice', { password: 'correct horse' })
    expect(await start({ kind: 'sign-in' })).toMatchObject({ outcome: 'completed', user: 'alice' })
  })

  test('a fault that cuts the connection ends the demo', async () => {
    await call('POST', 'faults', { match: { route: '/oauth/token' }, body: 'not JSON' })
    const broken = await start({ kind: 'sign-in' })
    expect(broken).toMatchObject({ done: true, outcome: 'failed' })
    expect(broken.explanation).toMatch(/\/oauth\/token returned 200 with invalid JSON/)
    await call('DELETE', 'faults')
    await call('POST', 'faults', { match: { route: '/oauth/token' }, break: 'reset' })
    const cut = await start({ kind: 'sign-in' })
    expect(cut).toMatchObject({ done: true, outcome: 'failed' })
    expect(cut.explanation).toMatch(/connection was closed before the response/)
  })
})

describe('refused demos, with their fix', () => {
  test.each([
    ['redirect-uri', /400 at \/oauth\/authorize/, /"redirectUris": \["http:\/\/localhost\/not-reg/],
    ['scope', /^invalid_scope: .*the scope email/, /"email" to the "scopes" of the/],
    ['secret', /^invalid_client: /, /"clientSecret"/],
    ['pkce', /^invalid_grant: code_verifier does not match/, /RFC 7636/],
    ['used-code', /^invalid_grant: .*already used/, /RFC 6749/],
    ['denied', /^access_denied: /, /No fix is needed/],
    ['used-refresh-token', /^invalid_grant: .*already used/, /RFC 9700/],
    ['login-required', /^login_required: /, /sign-in with pages/],
    ['not-a-member', /^invalid_grant: .*not found in the bound/, /"members" of acme/],
  ])('%s', async (variant, explanation, fix) => {
    const done = await start({ kind: 'refused', variant })
    expect(done).toMatchObject({ done: true, outcome: 'refused', variant })
    expect(done.explanation).toMatch(explanation)
    expect(done.fix).toMatch(fix)
    expect(await flowOf(done)).toMatchObject({ outcome: 'refused' })
  })

  test('all variants exist', () => {
    expect([...demoVariants].toSorted()).toEqual([
      'denied',
      'login-required',
      'not-a-member',
      'pkce',
      'redirect-uri',
      'scope',
      'secret',
      'used-code',
      'used-refresh-token',
    ])
  })

  test('the default mistake is the redirect URI', async () => {
    expect(await start({ kind: 'refused' })).toMatchObject({ variant: 'redirect-uri' })
  })
})

describe('step by step', () => {
  test('each step is announced and then played on request', async () => {
    let now = await start({ kind: 'sign-in', pace: 'steps' })
    expect(now).toMatchObject({ done: false, played: [] })
    expect(now).not.toHaveProperty('flowId')
    const names: string[] = []
    const round = limitRounds()
    while (now.next !== undefined) {
      round()
      names.push(now.next.name)
      now = await next(now)
      expect(now.played).toEqual(names)
    }
    expect(now).toMatchObject({ done: true, outcome: 'completed' })
    expect(names).toHaveLength(5)
    expectConflict(await call('POST', `demos/${now.id}/next`))
  })

  test('the clock can be moved between two steps while the code is valid', async () => {
    let now = await start({ kind: 'sign-in', pace: 'steps' })
    const round = limitRounds()
    while (now.next?.name !== 'token request') {
      round()
      now = await next(now)
    }
    await call('POST', 'clock', { advance: '1d' })
    now = await next(now)
    expect(now).toMatchObject({ done: true, outcome: 'refused' })
    expect(now.explanation).toMatch(/code has expired/)
  })

  test('a person may use the browser up to a given page', async () => {
    const begun = await start({ kind: 'sign-in', pace: 'steps' })
    await openAsBob(begun.next?.url ?? '')
    const now = await until(begun, ({ next: cue }) => cue?.name === 'token request')
    await next(now)
    expect(await next(now)).toMatchObject({ done: true, outcome: 'completed' })
    expect((await flowOf(now))?.user?.username ?? 'bob').toBe('bob')
  })

  test('a device shows its code until any user answers it (RFC 8628 §3.3)', async () => {
    let now = await next(await start({ kind: 'device', pace: 'steps' }))
    expect(now.device).toMatchObject({
      userCode: expect.stringMatching(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/),
      verificationUri: expect.stringMatching(/\/oauth\/device$/),
      unreachable: expect.stringContaining('--lan'),
    })
    const { userCode = '' } = now.device ?? {}
    now = await next(now)
    expect(now).toMatchObject({ played: ['device authorization request', 'poll'] })
    await call('POST', `device/${userCode}`, { user: 'bob', decision: 'approve' })
    // The step of the user finds that it was done.
    now = await next(now)
    expect(now.next?.name).toBe('poll')
  })
})

describe('a webhook, with a receiver of the sandbox', () => {
  const attemptsOf = async ({ deliveryId }: DemoItem) =>
    (await read(DeliveryItem, `deliveries/${deliveryId}`)).attempts.map(({ source, status }) => [
      source,
      status,
    ])
  const webhooks = async () => (await call<{ items: object[] }>('GET', 'webhooks')).body.items

  async function play(kind: 'webhook' | 'failing-webhook'): Promise<DemoItem> {
    const begun = await start({ kind, pace: 'steps', user: 'bob' })
    expect(begun).toMatchObject({ user: 'bob', next: { name: 'event' } })
    expect(begun).not.toHaveProperty('app')
    expect(await webhooks()).toMatchObject([{ owner: { username: 'bob' } }])
    const sent = await next(begun)
    expect(sent).toMatchObject({ deliveryId: expect.any(String), next: { name: 'retry' } })
    const waiting = await next(sent)
    expect(waiting.waiting).toContain('retry')
    await call('POST', 'clock', { advance: '30s' })
    const retried = await until(waiting, (now) => now.next?.name === 'replay')
    const done = await next(retried)
    expect(done).toMatchObject({ done: true, played: ['event', 'retry', 'replay'] })
    expect(await webhooks()).toEqual([])
    return done
  }

  test('fails once, is retried and replayed', async () => {
    const done = await play('webhook')
    expect(done).toMatchObject({ outcome: 'completed' })
    expect(await attemptsOf(done)).toEqual([
      ['auto', 503],
      ['retry', 200],
      ['replay', 200],
    ])
  })

  test('with another secret is refused every time, with the fix', async () => {
    const done = await play('failing-webhook')
    expect(done).toMatchObject({ outcome: 'refused', fix: expect.stringContaining('secret') })
    expect(await attemptsOf(done)).toEqual([
      ['auto', 403],
      ['retry', 403],
      ['replay', 403],
    ])
  })

  test('is deleted with its receiver when the demo is cancelled', async () => {
    const sent = await next(await start({ kind: 'webhook', pace: 'steps' }))
    const body = await read(DeliveryItem, `deliveries/${sent.deliveryId}`)
    const url = body.attempts[0]?.request?.url ?? ''
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    await call('DELETE', `demos/${sent.id}`)
    expect(await webhooks()).toEqual([])
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow('fetch failed')
  })

  test('needs a clock that runs, and no options of a sign-in', async () => {
    await call('POST', 'clock', { frozen: true })
    const frozen = await call<{ message: string }>('POST', 'demos', { kind: 'webhook' })
    expect(frozen).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/frozen/) },
    })
    const strange = await call('POST', 'demos', { kind: 'webhook', scope: 'openid' })
    expectInvalid(strange, ['scope'])
    expect(await webhooks()).toEqual([])
  })
})

describe('demos with a person', () => {
  test('a demo waits for the person and then continues', async () => {
    const begun = await start({ kind: 'sign-in', answeredBy: 'person' })
    expect(begun).toMatchObject({ done: false, waiting: expect.stringContaining('person') })
    expect(begun).not.toHaveProperty('user')
    expectConflict(await call('POST', `demos/${begun.id}/next`))
    await openAsBob(begun.next?.url ?? '')
    const done = await until(begun, (now) => now.done)
    expect(done).toMatchObject({ outcome: 'completed' })
    expect(await flowOf(done)).toMatchObject({ outcome: 'completed', user: { username: 'bob' } })
  })

  test('a redirect without the state of the request is ignored (RFC 6749 §10.12)', async () => {
    const begun = await start({ kind: 'sign-in', answeredBy: 'person' })
    const callback = new URL(begun.next?.url ?? '').searchParams.get('redirect_uri') ?? ''
    const forged = await fetch(`${callback}?code=stolen&state=guessed`, { redirect: 'manual' })
    expect(forged.status).toBe(404)
    expect((await listed())[0]).toMatchObject({ done: false, waiting: expect.any(String) })
    await call('DELETE', `demos/${begun.id}`)
    await expect(fetch(callback)).rejects.toThrow('fetch failed')
  })
})

describe('impossible demos, with their fix', () => {
  const expectRefused = async (body: unknown, message: RegExp, ...paths: string[]) => {
    const answer = await call('POST', 'demos', body)
    expectInvalid(answer, paths)
    expect(answer.body['message']).toMatch(message)
  }

  test('unknown users and apps are refused', async () => {
    await expectRefused(
      { kind: 'sign-in', user: 'alise' },
      /no user alise \(did you mean "alice"\?\)/,
      'user',
    )
    await expectRefused(
      { kind: 'sign-in', user: 'carol' },
      /address of carol is not verified/,
      'user',
    )
    await expectRefused({ kind: 'sign-in', app: 'none' }, /no app none/, 'app')
    await expectRefused(
      { kind: 'sign-in', app: exchangeClient },
      /needs an app with a redirect URI/,
      'app',
    )
    await expectRefused({ kind: 'nothing' }, /./, 'kind')
    await expectRefused(
      { kind: 'sign-in', variant: 'pkce' },
      /Only a refused one has a variant/,
      'variant',
    )
    await expectRefused(
      { kind: 'refused', answeredBy: 'person' },
      /by the sandbox alone/,
      'answeredBy',
    )
  })

  test('missing fixtures are named', async () => {
    for (const id of [publicClient, secretClient]) await call('DELETE', `apps/${id}`)
    await expectRefused(
      { kind: 'sign-in' },
      /none\. Add to "apps" in the fixtures: \{"name":"My app"/,
    )
    await call('DELETE', `apps/${exchangeClient}`)
    await expectRefused({ kind: 'device' }, /"apps" in the fixtures: \{"name":"My device"/)
    await expectRefused(
      { kind: 'exchange' },
      /"apps" in the fixtures: .*"privileges":\["token-exchange"\]/,
    )
  })

  test('a sandbox without a user is refused', async () => {
    for (const user of ['alice', 'bob']) {
      await call('PATCH', `users/${user}`, { emailVerified: false })
    }
    await expectRefused({ kind: 'sign-in' }, /a user who may sign in .*"users" in the fixtures/)
    await expectRefused({ kind: 'exchange' }, /a member of acme .*"organizations" in the fixtures/)
  })

  test('a person cannot be redirected to an app on another machine', async () => {
    await call('PATCH', `apps/${publicClient}`, { redirectUris: ['https://app.example/callback'] })
    await expectRefused(
      { kind: 'sign-in', answeredBy: 'person', app: publicClient },
      /needs a redirect URI such as http:\/\/localhost\/callback/,
      'answeredBy',
    )
    expect(await start({ kind: 'sign-in', app: publicClient })).toMatchObject({
      outcome: 'completed',
    })
  })
})

describe('retention of demos', () => {
  test('demos are listed newest first until they are cancelled or the state is replaced', async () => {
    const [one, other] = [
      await start({ kind: 'sign-in', pace: 'steps' }),
      await start({ kind: 'exchange' }),
    ]
    expect((await listed()).map(({ id }) => id)).toEqual([other.id, one.id])
    expect(await call('DELETE', `demos/${one.id}`)).toMatchObject({ status: 200, body: {} })
    for (const method of ['DELETE', 'POST'] as const) {
      const path = method === 'POST' ? `demos/${one.id}/next` : `demos/${one.id}`
      expectNotFound(await call(method, path))
    }
    await call('POST', 'reset')
    expect(await listed()).toEqual([])
  })

  test('the newest twenty demos are kept', async () => {
    const ids: string[] = []
    for (let count = 0; count < 22; count++) {
      ids.push((await start({ kind: 'refused' })).id)
    }
    expect((await listed()).map(({ id }) => id)).toEqual(ids.slice(-20).toReversed())
  })
})

/** A browser, as far as a program needs one: signs in as bob, allows what is asked, and is sent back to the app. */
async function openAsBob(url: string): Promise<void> {
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const login = await hub('POST', '/login', { form: { user: 'bob', next: path } })
  const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? ''
  await hub('GET', path, { headers: { cookie } })
  const answer = await hub('POST', path, { form: { decision: 'approve' }, headers: { cookie } })
  const page = await fetch(String(answer.headers['location']), { redirect: 'manual' })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('The app has the response')
}
