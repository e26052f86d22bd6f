import { expect, test } from 'vitest'
import { AppItem, AppList, AppSecret, ConsentList } from '../../server/contract/control-apps.ts'
import type { MintedToken } from '../../server/contract/control-tokens.ts'
import {
  exchangeClient,
  expectConflict,
  expectInvalid,
  expectNotFound,
  publicClient,
  secretClient,
  controlWorld,
} from '../helpers/control.ts'

const world = controlWorld()
const { call, hub, read, make, send } = world

const basic = (id: string, secret: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
})

/** Whether a secret is accepted: a wrong code is noticed only after the client was believed. */
async function works(secret: string): Promise<boolean> {
  const { body } = await hub<{ error: string }>('POST', '/oauth/token', {
    ...basic(secretClient, secret),
    form: {
      grant_type: 'authorization_code',
      code: 'wrong',
      redirect_uri: 'http://localhost/callback',
    },
  })
  return body.error === 'invalid_grant'
}

test('lists apps in the order of the fixtures, in their words', async () => {
  const body = await read(AppList, 'apps')
  expect(body.items.map(({ name, public: isPublic }) => ({ name, isPublic }))).toEqual([
    { name: 'Public app', isPublic: true },
    { name: 'Secret app', isPublic: false },
    { name: 'Exchange app', isPublic: false },
  ])
  expect(body.items[2]).toMatchObject({
    clientSecret: 'sandbox_exchange_secret',
    organization: 'acme',
    privileges: ['token-exchange'],
  })
})

test('lists an app that registered with more than can be set here', async () => {
  const redirectUris = Array.from({ length: 101 }, (_, index) => `http://localhost/${index}`)
  const json = { client_name: 'n'.repeat(300), redirect_uris: redirectUris }
  expect((await hub('POST', '/oauth/register', { json })).status).toBe(201)
  const body = await read(AppList, 'apps')
  expect(body.items.at(-1)).toMatchObject({ name: json.client_name, redirectUris })
})

test('registers an app with or without a secret', async () => {
  const made = await make(AppItem, 'apps', {
    name: 'Mine',
    redirectUris: ['http://127.0.0.1/cb', 'com.example:/cb'],
    scopes: ['openid', 'jobs'],
    owner: 'Alice',
    organization: 'acme',
    privileges: ['token-exchange'],
    tokenDuration: '30d',
  })
  expect(made).toMatchObject({
    clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    clientSecret: expect.stringMatching(/^sandbox_secret_[A-Za-z\d]{32}$/),
    owner: 'alice',
    organization: 'acme',
    tokenDuration: '30d',
    activeTokens: 0,
  })
  expect((await call('GET', `apps/${made.clientId}`)).body).toEqual(made)
  const open = await call<AppItem>('POST', 'apps', { name: 'Open', public: true })
  expect(open.body).toMatchObject({ public: true, scopes: ['openid', 'profile'] })
  expect(open.body).not.toHaveProperty('clientSecret')
})

test('an app keeps known scopes, hidden ones too; unknown ones are left out and reported', async () => {
  const made = await call<AppItem>('POST', 'apps', {
    name: 'Reader',
    scopes: ['openid', 'read-mcp', 'read_repos'],
  })
  expect(made.body).toMatchObject({
    scopes: ['openid', 'read-mcp'],
    notices: [expect.stringMatching(/read_repos \(did you mean "read-repos"\?\): left out/)],
  })
  const path = `apps/${made.body.clientId}`
  const changed = await call('PATCH', path, { scopes: ['offline_access', 'email'] })
  expect(changed.body).toMatchObject({
    scopes: ['email'],
    notices: [expect.stringContaining('offline_access')],
  })
  expectInvalid(await call('PATCH', path, { scopes: ['offline_access'] }), ['scopes'])
  const cleared = await call('PATCH', path, { scopes: [] })
  expect(cleared.body).toMatchObject({ scopes: [] })
  expect(cleared.body).not.toHaveProperty('notices')
})

test.each([
  [{}, ['name']],
  [
    {
      name: 'x',
      redirectUris: ['http://localhost/ok', 'javascript:alert(1)', 'https://a.example/#x', 'nope'],
      scopes: ['read_repos'],
      tokenDuration: '31d',
      owner: 'nobody',
      organization: 'nowhere',
    },
    [
      'redirectUris[1]',
      'redirectUris[2]',
      'redirectUris[3]',
      'scopes',
      'tokenDuration',
      'owner',
      'organization',
    ],
  ],
  [{ name: 'x', public: true, clientSecret: 'y' }, ['clientSecret']],
  [{ name: 'x', privileges: ['token-exchange'] }, ['privileges']],
  [
    { name: 'x', public: true, privileges: ['token-exchange'], organization: 'acme' },
    ['privileges'],
  ],
  [{ name: 'x', privileges: ['admin'] }, ['privileges[0]']],
  [{ name: 'x', clientId: 'not-a-uuid' }, ['clientId']],
  [{ name: 'x', redirect_uris: [] }, ['redirect_uris']],
])('refuses to register %j', async (request, paths) => {
  expectInvalid(await call('POST', 'apps', request), paths)
})

test('a taken client id and an unknown app are refused', async () => {
  expectConflict(await call('POST', 'apps', { name: 'x', clientId: publicClient }))
  for (const [method, path] of [
    ['GET', 'apps/none'],
    ['DELETE', 'apps/none'],
    ['POST', 'apps/none/secret'],
    ['DELETE', 'apps/none/secret'],
  ] as const) {
    expectNotFound(await call(method, path))
  }
})

test('changes settings, and removes members set to null', async () => {
  const path = `apps/${exchangeClient}`
  const changes = {
    name: 'Renamed',
    tokenDuration: '1h',
    logoUri: 'https://a.example/logo.png',
    policyUri: 'https://a.example/privacy',
    tosUri: 'https://a.example/terms',
  }
  const changed = await send(AppItem, 'PATCH', path, changes)
  expect(changed).toMatchObject({ ...changes, organization: 'acme' })
  const cleared = await call<AppItem>('PATCH', path, {
    privileges: [],
    organization: null,
    tokenDuration: null,
    logoUri: null,
    policyUri: null,
    tosUri: null,
  })
  for (const name of ['organization', 'tokenDuration', 'logoUri', 'policyUri', 'tosUri']) {
    expect(cleared.body).not.toHaveProperty(name)
  }
  expect(cleared.body).toMatchObject({ name: 'Renamed', clientSecret: 'sandbox_exchange_secret' })
})

test('changes that break a privilege and empty ones are refused', async () => {
  const path = `apps/${exchangeClient}`
  expectInvalid(await call('PATCH', path, { organization: null }), ['privileges'])
  expectInvalid(await call('PATCH', path, {}), [''])
  expectInvalid(await call('PATCH', path, { clientId: 'x' }), ['clientId'])
  expectConflict(await call('DELETE', `${path}/secret`))
})

test('a rotated secret stops working at once', async () => {
  expect(await works('sandbox_first_secret')).toBe(true)
  const rotated = await send(AppSecret, 'POST', `apps/${secretClient}/secret`)
  expect(await works('sandbox_first_secret')).toBe(false)
  expect(await works(rotated.clientSecret)).toBe(true)
})

test('a deleted secret stops working at once, and the app is public', async () => {
  await call('DELETE', `apps/${secretClient}/secret`)
  expect(await works('sandbox_first_secret')).toBe(false)
  expect((await call('GET', `apps/${secretClient}`)).body).toMatchObject({ public: true })
})

test('an app defined by a document cannot be edited', async () => {
  const { state } = world.sandbox.deps
  const app = state.apps.get(publicClient)!
  state.apps.put({ ...app, origin: 'metadata-document' })
  expectConflict(await call('PATCH', `apps/${publicClient}`, { name: 'x' }))
  state.apps.put({ ...app, origin: 'space' })
  expectConflict(await call('POST', `apps/${publicClient}/secret`))
})

test('deletes an app with its tokens, consents and codes', async () => {
  const { body } = await call<MintedToken>('POST', 'tokens', { user: 'alice' })
  expect(await call('DELETE', `apps/${publicClient}`)).toMatchObject({ status: 200, body: {} })
  const headers = { authorization: `Bearer ${body.access_token}` }
  expect((await hub('GET', '/oauth/userinfo', { headers })).status).toBe(401)
  const { refreshTokens, consents, codes } = world.sandbox.deps.state
  expect(refreshTokens.group('client', publicClient).every(({ revokedAt }) => revokedAt)).toBe(true)
  expect(consents.group('client', publicClient)).toEqual([])
  expect(codes.group('client', publicClient)).toEqual([])
  expectNotFound(await call('GET', `apps/${publicClient}`))
})

test('lists the apps that users authorized, and disconnects an app with its tokens', async () => {
  await call('POST', 'authorize', {
    user: 'alice',
    organizations: ['acme'],
    client_id: secretClient,
    redirect_uri: 'http://localhost/callback',
    scope: 'openid',
  })
  const consents = await read(ConsentList, 'consents')
  expect(consents.items).toMatchObject([
    {
      user: { username: 'alice' },
      app: { clientId: secretClient },
      scopes: ['openid'],
      organizations: [{ name: 'acme' }],
    },
  ])
  const path = `consents?user=alice&clientId=${secretClient}`
  expect((await call('DELETE', path)).status).toBe(200)
  expect((await read(ConsentList, 'consents')).items).toEqual([])
  expectNotFound(await call('DELETE', path))
  expectInvalid(await call('DELETE', 'consents?user=alice'), ['clientId'])
})
