import { beforeEach, describe, expect, test } from 'vitest'
import { type Fix, AppliedFix, FixList } from '../../server/contract/control-fixes.ts'
import type { FlowList } from '../../server/contract/control-requests.ts'
import type { AppFixtureInput } from '../../server/contract/fixtures-types.ts'
import { checkFixtures } from '../../server/fixtures/check/check-fixtures.ts'
import type { App } from '../../server/store/entities/oauth-entities.ts'
import { testApp } from '../helpers/app.ts'
import { expectConflict, expectNotFound, expectShape, type Answer } from '../helpers/control.ts'
import { documentUrl } from '../helpers/deps.ts'
import { basic, pkce } from '../helpers/oauth-client.ts'

const world = testApp()
const { as, client } = world

type Method = Parameters<ReturnType<typeof as>['send']>[0]
const control = <T>(method: Method, path: string, json?: object) =>
  as().send(method, `/_sandbox/api/${path}`, json) as Promise<Answer<T>>

/** The newest sign-in. */
async function flowId(): Promise<string> {
  const { body } = await control<FlowList>('GET', 'flows')
  return body.items[0]?.id ?? 'none'
}

async function fixes(): Promise<Fix[]> {
  const { status, body } = await control<FixList>('GET', `flows/${await flowId()}/fixes`)
  expect(status).toBe(200)
  expectShape(FixList, body)
  return body.items
}

async function onlyFix(): Promise<Fix> {
  const found = await fixes()
  expect(found).toHaveLength(1)
  return found[0] as Fix
}

const make = async ({ id }: Fix) =>
  control<AppliedFix>('POST', `flows/${await flowId()}/fixes/${id}`)

/** Makes the only fix there is; it is not offered again. */
async function fixIt(): Promise<Fix> {
  const fix = await onlyFix()
  const answer = await make(fix)
  expect(answer.status).toBe(200)
  expectShape(AppliedFix, answer.body)
  expect(answer.body.made).toEqual(fix)
  expect(await fixes()).toEqual([])
  return fix
}

const authorizeUrl = (changes: Record<string, string> = {}) =>
  client.authorizeUrl({
    client_id: world.apps.public.id,
    redirect_uri: 'http://localhost/callback',
    response_type: 'code',
    scope: 'openid',
    state: 'xyz',
    ...pkce,
    ...changes,
  })

/** Exchanges the e-mail address of a user for a token (RFC 8693). */
const exchange = (email: string, scope: string) =>
  client.exchange(email, basic(world.apps.exchange, world.clientSecret), { scope })

/** Asks as bob, whose browser it is; `page` = the consent page, which means that nothing is in the way. */
async function authorize(changes: Record<string, string> = {}, user = 'bob'): Promise<string> {
  const answer = await client.get(authorizeUrl(changes), await client.signIn(user))
  if (answer.statusCode === 200) return 'page'
  const location = String(answer.headers.location)
  const error = URL.canParse(location) ? new URL(location).searchParams.get('error') : null
  return error ?? (/<code[^>]*>([^<]+)/.exec(answer.body)?.[1] || `${answer.statusCode}`)
}

const stored = (app: App) => world.state.apps.get(app.id)

describe('the fix of an unregistered redirect URI', () => {
  const wanted = 'http://localhost:3000/auth/callback'

  test('the fix registers that redirect URI, so the sign-in passes', async () => {
    expect(await authorize({ redirect_uri: wanted })).not.toBe('page')
    const fix = await fixIt()
    expect(fix).toMatchObject({
      kind: 'redirect-uri',
      title: 'Allow this redirect URI for Public app',
      address: { value: wanted, host: 'localhost:3000', loopback: true },
    })
    for (const text of [fix.change, fix.onTheHub, fix.fixtures.lines])
      expect(text).toContain(wanted)
    expect(stored(world.apps.public)?.redirectUris).toEqual([
      ...world.apps.public.redirectUris,
      wanted,
    ])
    expect(await authorize({ redirect_uri: wanted })).toBe('page')
  })

  test.each([
    ['https://evil.example/cb?x=1&y=2', 'evil.example'],
    ['http://localhost@evil.example:8080/callback', 'evil.example:8080'],
    ['http://127.0.0.1.evil.example/callback', '127.0.0.1.evil.example'],
    ['http://localhost.evil.example/callback', 'localhost.evil.example'],
    ['com.example.app:/callback', undefined],
  ])('warns that %s is not on this machine', async (value, host) => {
    await authorize({ redirect_uri: value })
    const fix = await onlyFix()
    expect(fix.address).toEqual({ value, host, loopback: false })
    expect(fix.nearest).toMatchObject({ value: expect.stringContaining('http') as string })
    expect(fix.change).toContain(value)
    expect(fix.change).toMatch(/not this machine|not the URL of a website/)
  })

  test('no fix is offered for a forbidden redirect URI', async () => {
    for (const value of [
      'javascript:alert(1)',
      'http://localhost/callback#fragment',
      'http://localhost/ü',
      'not a uri',
      'http:///callback',
    ]) {
      await authorize({ redirect_uri: value })
      expect(await fixes()).toEqual([])
    }
  })

  test('the fix follows the requested redirect URI', async () => {
    await authorize({ redirect_uri: wanted })
    const shown = await onlyFix()
    // With the same client, state and challenge it counts to the same sign-in.
    const before = await flowId()
    await client.get(authorizeUrl({ redirect_uri: 'https://evil.example/cb' }))
    expect(await flowId()).toBe(before)
    expectConflict(await make(shown))
    expect(stored(world.apps.public)?.redirectUris).toEqual(world.apps.public.redirectUris)
  })

  test('the fix ignores the body', async () => {
    await authorize({ redirect_uri: wanted })
    const { id } = await onlyFix()
    await control('POST', `flows/${await flowId()}/fixes/${id}`, {
      address: { value: 'https://evil.example/cb' },
    })
    expect(stored(world.apps.public)?.redirectUris.at(-1)).toBe(wanted)
  })

  test('no fix is offered for apps of a document or a Space', async () => {
    expect(await authorize({ client_id: documentUrl })).toBe('page')
    await authorize({ client_id: documentUrl, redirect_uri: wanted })
    expect(await fixes()).toEqual([])
    const space = world.app('Space app', { origin: 'space', redirectHosts: ['space.example'] })
    await authorize({ client_id: space.id, redirect_uri: 'https://other.example/' })
    expect(await fixes()).toEqual([])
  })

  test('no fix is offered for a full list or a repeated redirect URI', async () => {
    const full = world.app('Full app', {
      redirectUris: Array.from({ length: 100 }, (_, index) => `http://localhost/${index}`),
    })
    await authorize({ client_id: full.id, redirect_uri: wanted })
    expect(await fixes()).toEqual([])
    await client.get(`${authorizeUrl({ redirect_uri: wanted })}&redirect_uri=http://localhost/2`)
    expect(await fixes()).toEqual([])
  })
})

describe('the fix of a scope that the app is not configured with', () => {
  beforeEach(() => world.begin({ strict: true }))

  test('adds the scope to the app, so the sign-in passes', async () => {
    const scope = 'openid jobs webhooks'
    expect(await authorize({ scope })).toBe('invalid_scope')
    const fix = await fixIt()
    expect(fix).toMatchObject({ kind: 'scope', title: expect.stringContaining('jobs, webhooks') })
    expect(fix).not.toHaveProperty('address')
    expect(stored(world.apps.public)?.scopes).toEqual([
      ...world.apps.public.scopes,
      'jobs',
      'webhooks',
    ])
    expect(await authorize({ scope })).toBe('page')
  })

  test('also helps a device and an exchange', async () => {
    const request = { client_id: world.apps.public.id, scope: 'jobs' }
    const device = () => as().post('/oauth/device', request)
    expect((await device()).status).toBe(400)
    await fixIt()
    expect((await device()).status).toBe(200)
    const refused = await exchange('alice@example.com', 'jobs')
    expect(refused.json()).toMatchObject({ error: 'invalid_scope' })
    const { change } = await fixIt()
    expect(change).toMatch(/A token exchange asks no user whether they allow it\.$/)
    expect((await exchange('alice@example.com', 'jobs')).statusCode).toBe(200)
  })

  test('names the effects for an app that registered itself', async () => {
    const { body: editor } = await as().post<{ client_id: string }>('/oauth/register', {
      client_name: 'Editor',
      redirect_uris: ['http://localhost/'],
      scope: 'openid profile',
    })
    const elsewhere = async (parameters: Record<string, string>) => {
      await authorize({
        client_id: editor.client_id,
        redirect_uri: 'http://localhost/',
        ...parameters,
      })
      const [fix] = await fixes()
      const file = { apps: [JSON.parse(fix!.fixtures.lines) as AppFixtureInput] }
      expect(checkFixtures(file)).toHaveProperty('file')
      expect(fix?.fixtures.place).toBe('apps')
      expect(fix?.onTheHub).toMatch(/no settings on the Hub: have it register again with/)
      return file.apps[0]
    }
    const wanted = 'http://localhost/callback'
    expect(await elsewhere({ redirect_uri: wanted })).toMatchObject({
      clientId: editor.client_id,
      clientSecret: expect.any(String),
      redirectUris: ['http://localhost/', wanted],
    })
    expect(await elsewhere({ scope: 'jobs' })).toMatchObject({
      scopes: ['openid', 'profile', 'jobs'],
    })
  })

  test('is offered for a hidden scope, and leaves out unknown scopes', async () => {
    const scope = 'openid read-mcp nonsense'
    expect(await authorize({ scope })).toBe('invalid_scope')
    expect((await fixIt()).title).toContain('this scope: read-mcp')
    expect(await authorize({ scope })).toBe('page')
  })

  test('is not offered for an exchange that would still be refused', async () => {
    await exchange('alice@example.com', 'jobs nonsense')
    expect(await fixes()).toEqual([])
  })

  test('is not offered for an app of a document or for a refresh with more scopes', async () => {
    await authorize({ client_id: documentUrl, scope: 'read-mcp openid' })
    await authorize({ client_id: documentUrl, scope: 'nonsense' })
    expect(await fixes()).toEqual([])
    const { body } = await control<{ refresh_token: string }>('POST', 'tokens', {
      user: 'bob',
      clientId: world.apps.public.id,
      scope: 'openid',
    })
    await client.refresh(body.refresh_token, { client_id: world.apps.public.id, scope: 'jobs' })
    expect(await fixes()).toEqual([])
  })
})

describe('the fix of an unknown client', () => {
  const clientId = '99999999-8888-4777-8666-555555555555'

  test('the fix registers the client under its id, so the sign-in passes', async () => {
    const asked = {
      client_id: clientId,
      redirect_uri: 'http://localhost:3000/cb',
      scope: 'openid jobs',
    }
    expect(await authorize(asked)).not.toBe('page')
    const fix = await fixIt()
    expect(fix).toMatchObject({
      kind: 'app',
      address: { value: asked.redirect_uri, loopback: true },
    })
    expect(world.state.apps.get(clientId)).toMatchObject({
      origin: 'settings',
      name: 'App at localhost:3000',
      redirectUris: [asked.redirect_uri],
      scopes: ['openid', 'jobs'],
      privileges: [],
    })
    expect(world.state.apps.get(clientId)).not.toHaveProperty('clientSecret')
    const line = JSON.parse(fix.fixtures.lines) as Record<string, unknown>
    expect(line).toEqual({
      name: 'App at localhost:3000',
      clientId,
      redirectUris: [asked.redirect_uri],
      scopes: ['openid', 'jobs'],
    })
    expect(await authorize(asked)).toBe('page')
  })

  test('does not register a redirect URI on another host, which needs its own fix', async () => {
    const asked = { client_id: clientId, redirect_uri: 'https://evil.example/cb' }
    await authorize(asked)
    const fix = await onlyFix()
    expect(fix).toMatchObject({ kind: 'app', change: expect.stringContaining(asked.redirect_uri) })
    expect(fix).not.toHaveProperty('address')
    expect((await make(fix)).status).toBe(200)
    expect(world.state.apps.get(clientId)?.redirectUris).toEqual([])
    expect(await authorize(asked)).not.toBe('page')
    expect(await fixIt()).toMatchObject({ kind: 'redirect-uri', address: { loopback: false } })
    expect(await authorize(asked)).toBe('page')
  })

  test('creates a secret unless the client looks public, and for a device that sent one', async () => {
    await authorize({ client_id: clientId, code_challenge: '', code_challenge_method: '' })
    await fixIt()
    expect(world.state.apps.get(clientId)?.clientSecret).toMatch(/\S{10}/)
    world.state.apps.delete(clientId)
    await client.startDevice({ client_id: clientId, client_secret: 'theirs' })
    await fixIt()
    expect(world.state.apps.get(clientId)?.clientSecret).not.toBe('theirs')
    world.state.apps.delete(clientId)
    const device = () => client.postForm('/oauth/device', { client_id: clientId })
    expect((await device()).json()).toMatchObject({ error: 'invalid_client' })
    await fixIt()
    expect((await device()).statusCode).toBe(200)
  })

  test('is not offered for an invalid client id or a forbidden request', async () => {
    const notOffered = [
      { client_id: 'my-app' },
      { client_id: 'https://nowhere.example/client.json' },
      { client_id: clientId.replaceAll('9', 'Z') },
      { client_id: clientId, redirect_uri: 'javascript:alert(1)' },
      { client_id: clientId, redirect_uri: '' },
      { client_id: '' },
    ]
    for (const changes of notOffered) {
      await authorize(changes)
      expect(await fixes()).toEqual([])
    }
    await client.refresh('x', { client_id: clientId })
    expect(await fixes()).toEqual([])
  })
})

describe('the fix of a user who is not a member', () => {
  test('adds the user to the only organization that may use the app', async () => {
    const app = world.app('Labs only', { authorizedOrganizationIds: [world.organizations.labs.id] })
    expect(await authorize({ client_id: app.id }, 'carol')).toBe('access_denied')
    const fix = await fixIt()
    expect(fix).toMatchObject({ kind: 'member', title: 'Add carol to labs' })
    expect(JSON.parse(fix.fixtures.lines)).toEqual({ user: 'carol', role: 'read' })
    expect(world.state.organizations.get(world.organizations.labs.id)?.members).toEqual([
      ...world.organizations.labs.members,
      { userId: world.users.carol.id, role: 'read' },
    ])
    expect(await authorize({ client_id: app.id }, 'carol')).toBe('page')
  })

  test('offers each of several organizations, and none after one was chosen', async () => {
    const { acme, labs } = world.organizations
    const app = world.app('Both', { authorizedOrganizationIds: [acme.id, labs.id] })
    await authorize({ client_id: app.id }, 'carol')
    const [first, second, ...more] = await fixes()
    expect([first?.title, second?.title]).toEqual(['Add carol to acme', 'Add carol to labs'])
    expect(more).toEqual([])
    expect((await make(second as Fix)).status).toBe(200)
    expectConflict(await make(first as Fix))
    expect(await fixes()).toEqual([])
  })

  test('adds the subject of a token exchange (RFC 8693)', async () => {
    expect((await exchange('Carol@example.com', 'openid')).statusCode).toBe(400)
    expect(await fixIt()).toMatchObject({ title: 'Add carol to acme' })
    expect((await exchange('carol@example.com', 'openid')).statusCode).toBe(200)
    // No such user, and one whose address is not verified.
    for (const email of ['nobody@example.com', 'mallory@example.com']) {
      await exchange(email, 'openid')
      expect(await fixes()).toEqual([])
    }
  })

  test('helps a user who approves a device', async () => {
    const app = world.app('Labs device', {
      authorizedOrganizationIds: [world.organizations.labs.id],
    })
    const device = await client.startDevice({ client_id: app.id, scope: 'openid' })
    const answer = { user: 'carol', decision: 'approve' }
    expect((await control('POST', `device/${device.user_code}`, answer)).status).toBe(400)
    expect(await fixIt()).toMatchObject({ title: 'Add carol to labs' })
    expect((await control('POST', `device/${device.user_code}`, answer)).status).toBe(200)
  })

  test('is not offered for an unverified e-mail address or after a denial', async () => {
    const app = world.app('Labs only', { authorizedOrganizationIds: [world.organizations.labs.id] })
    await authorize({ client_id: app.id }, 'mallory')
    expect(await fixes()).toEqual([])
    await client.postForm(authorizeUrl(), { decision: 'deny' }, await client.signIn('bob'))
    expect(await fixes()).toEqual([])
  })
})

describe('the fix of a device that polls too fast', () => {
  async function tooFast() {
    const app = { client_id: world.apps.public.id }
    const device = await client.startDevice({ ...app, scope: 'openid' })
    const poll = async () => (await client.poll(device, app)).json<{ error: string }>().error
    expect([await poll(), await poll()]).toEqual(['authorization_pending', 'slow_down'])
    return { poll, userCode: device.user_code }
  }

  test('advances the clock past the wait and names what expires as well (RFC 8628 §3.5)', async () => {
    await control('POST', 'tokens', {
      user: 'alice',
      clientId: world.apps.public.id,
      scope: 'profile',
      expiresIn: 8,
    })
    const { poll, userCode } = await tooFast()
    const fix = await onlyFix()
    expect(fix).toMatchObject({
      kind: 'clock',
      title: 'Advance the clock by 10s',
      change: expect.stringContaining(userCode),
      alsoExpires: ['1 access token expires: alice at Public app.'],
    })
    const before = world.clock.now()
    await fixIt()
    expect(world.clock.now() - before).toBe(10_000)
    expect(await poll()).toBe('authorization_pending')
    expect(await fixes()).toEqual([])
  })

  test('says that nothing else expires', async () => {
    await tooFast()
    expect((await onlyFix()).alsoExpires).toEqual([])
  })

  test('is not offered after the wait, after an answer, or if the code would expire', async () => {
    const { userCode } = await tooFast()
    const shown = await onlyFix()
    world.elapse(10_000)
    expectConflict(await make(shown))
    await tooFast()
    expect(await fixes()).toHaveLength(1)
    world.clock.advance(295_000)
    expect(await fixes()).toEqual([])
    expect(userCode).toMatch(/-/)
    const second = await tooFast()
    const offered = await onlyFix()
    await control('POST', `device/${second.userCode}`, { user: 'bob', decision: 'approve' })
    expectConflict(await make(offered))
  })
})

describe('the setting that a refused sign-in does not match', () => {
  const setting = async () =>
    (await control<FixList>('GET', `flows/${await flowId()}/fixes`)).body.setting

  test('has the redirect URIs or scopes with which the sign-in succeeds', async () => {
    const { id, redirectUris } = world.apps.public
    await authorize({ redirect_uri: 'http://localhost/other' })
    expect(await setting()).toEqual({
      clientId: id,
      field: 'redirectUris',
      values: [...redirectUris, 'http://localhost/other'],
    })
    await control('PATCH', `apps/${id}`, { redirectUris: (await setting())?.values })
    expect(await setting()).toBeUndefined()
    expect(await authorize({ redirect_uri: 'http://localhost/other' })).toBe('page')
  })

  test('is the secret after a wrong one, but never for an unknown client', async () => {
    const { id } = world.apps.confidential
    const redeem = (clientId: string) =>
      client.redeem('x', { client_id: clientId, client_secret: 'another' })
    expect((await redeem(id)).json()).toMatchObject({ error: 'invalid_client' })
    expect(await setting()).toEqual({ clientId: id, field: 'clientSecret' })
    await redeem('11111111-1111-4111-8111-111111111111')
    expect(await setting()).toBeUndefined()
  })
})

test('a sign-in without a refusal has no fixes; a dropped one is not found', async () => {
  expect(await authorize()).toBe('page')
  expect(await fixes()).toEqual([])
  expectNotFound(await control('GET', 'flows/none/fixes'))
  expectNotFound(await control('POST', 'flows/none/fixes/scope-1'))
  await authorize({ scope: 'jobs' })
  expectConflict(await control('POST', `flows/${await flowId()}/fixes/scope-0`))
})

test('names of fixtures are escaped in each sentence', async () => {
  const name = '“><script>alert(1)</script>\u202eevil'
  const app = world.app(name)
  await authorize({ client_id: app.id, redirect_uri: 'http://localhost:1/x' })
  expect((await onlyFix()).title).toBe(`Allow this redirect URI for ${name}`)
})
