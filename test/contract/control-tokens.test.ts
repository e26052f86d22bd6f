import { expect, test } from 'vitest'
import { MintedToken, TokenItem, TokenList } from '../../server/contract/control-tokens.ts'
import {
  expectRefusal,
  expectShape,
  publicClient,
  secretClient,
  controlWorld,
} from '../helpers/control.ts'

const { call, hub } = controlWorld()

const userinfo = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

test('mints a token of the first public app with its scopes, which works', async () => {
  const minted = await call<MintedToken>('POST', 'tokens', { user: 'alice' })
  expect(minted.status).toBe(200)
  expectShape(MintedToken, minted.body)
  expect(minted.body).toMatchObject({
    token_type: 'bearer',
    expires_in: 28_800,
    scope: 'openid profile email',
    id_token: expect.any(String),
    refresh_token: expect.any(String),
  })
  const answer = await hub('GET', '/oauth/userinfo', userinfo(minted.body.access_token))
  expect(answer).toMatchObject({ status: 200, body: { preferred_username: 'alice' } })
})

test('mints a token with the scope, life and organizations asked for', async () => {
  const request = {
    user: 'alice',
    clientId: secretClient,
    scope: 'profile',
    organizations: ['acme'],
    expiresIn: 60,
  }
  const { body } = await call<MintedToken>('POST', 'tokens', request)
  expect(body).toMatchObject({ scope: 'profile', expires_in: 60 })
  expect(body).not.toHaveProperty('id_token')
  const item = await call<TokenItem>('GET', `tokens/${body.access_token}`)
  expectShape(TokenItem, item.body)
  expect(item.body).toMatchObject({
    kind: 'oauth',
    grant: 'minted',
    state: 'active',
    app: { clientId: secretClient, name: 'Secret app' },
    user: { username: 'alice' },
    organizations: [{ name: 'acme' }],
  })
})

test('mints a user access token where a role is given', async () => {
  const minted = await call<MintedToken>('POST', 'tokens', {
    user: 'bob',
    role: 'write',
    name: 'ci',
  })
  expectShape(MintedToken, minted.body)
  expect(minted.body.access_token).toMatch(/^hf_sandbox_\w{32}$/)
  const whoami = await hub('GET', '/api/whoami-v2', userinfo(minted.body.access_token))
  expect(whoami.body).toMatchObject({
    name: 'bob',
    auth: { accessToken: { displayName: 'ci', role: 'write' } },
  })
})

test.each([
  [{ user: 'nobody' }, ['user']],
  [{}, ['user']],
  [{ user: 'alice', clientId: 'none' }, ['clientId']],
  [{ user: 'alice', organizations: ['acme', 'nowhere'] }, ['organizations[1]']],
  [{ user: 'alice', role: 'write', scope: 'openid' }, ['scope']],
  [{ user: 'alice', name: 'ci' }, ['name']],
  [{ user: 'alice', role: 'owner' }, ['role']],
  [{ user: 'alice', expiresIn: 0 }, ['expiresIn']],
  [{ user: 'alice', scopes: 'openid' }, ['scopes']],
])('refuses to mint for %j', async (request, paths) => {
  expectRefusal(await call('POST', 'tokens', request), {
    status: 400,
    error: 'invalid_request',
    paths,
  })
})

test('refuses scopes the app is not configured with', async () => {
  const answer = await call('POST', 'tokens', { user: 'alice', scope: 'jobs' })
  expectRefusal(answer, { status: 400, error: 'invalid_scope' })
})

test('lists tokens newest first, by user, app and state, page by page', async () => {
  for (const user of ['alice', 'bob', 'alice'])
    await call('POST', 'tokens', { user, expiresIn: 60 })
  const all = await call<TokenList>('GET', 'tokens')
  expectShape(TokenList, all.body)
  expect(all.body.items.map(({ user, kind }) => `${user.username} ${kind}`)).toEqual([
    'alice oauth',
    'bob oauth',
    'alice oauth',
    'alice user',
  ])
  const first = await call<TokenList>('GET', 'tokens?limit=3')
  const second = await call<TokenList>('GET', `tokens?limit=3&cursor=${first.body.nextCursor}`)
  expect([...first.body.items, ...second.body.items]).toEqual(all.body.items)
  expect(second.body).not.toHaveProperty('nextCursor')

  const count = async (query: string) =>
    (await call<TokenList>('GET', `tokens?${query}`)).body.items.length
  expect(await count('user=bob')).toBe(1)
  expect(await count(`clientId=${publicClient}&user=alice`)).toBe(2)
  await call('POST', 'clock', { advance: '61s' })
  expect(await count('state=expired')).toBe(3)
  expect(await count('state=active')).toBe(1)
})

test('refuses queries that do not fit', async () => {
  const refused = { status: 400, error: 'invalid_request' }
  expectRefusal(await call('GET', 'tokens?limit=0'), { ...refused, paths: ['limit'] })
  expectRefusal(await call('GET', 'tokens?limit=many'), { ...refused, paths: ['limit'] })
  expectRefusal(await call('GET', 'tokens?state=old'), { ...refused, paths: ['state'] })
  expectRefusal(await call('GET', 'tokens?user=nobody'), { ...refused, paths: ['user'] })
  expectRefusal(await call('GET', 'tokens?cursor=gone'), { ...refused, paths: ['cursor'] })
})

test('revokes a token by its id or by itself; it stops working and is listed with the reason', async () => {
  const { body } = await call<MintedToken>('POST', 'tokens', { user: 'alice' })
  expect(await call('DELETE', `tokens/${body.access_token}`)).toMatchObject({ status: 200 })
  expect((await hub('GET', '/oauth/userinfo', userinfo(body.access_token))).status).toBe(401)
  const { items } = (await call<TokenList>('GET', 'tokens?state=revoked')).body
  expect(items).toMatchObject([
    { revokedAt: expect.any(String), revokedBecause: expect.stringContaining('sandbox') },
  ])
  expectRefusal(await call('DELETE', 'tokens/none'), { status: 404, error: 'not_found' })
  expectRefusal(await call('GET', 'tokens/none'), { status: 404, error: 'not_found' })
})

test.each([
  [{ user: 'alcie' }, 'user', 'There is no user alcie (did you mean "alice"?).'],
  [
    { user: 'alice', clientId: 'public app' },
    'clientId',
    `There is no app public app (the client id of Public app is ${publicClient}).`,
  ],
  [
    { user: 'alice', clientId: publicClient.replace('4', '5') },
    'clientId',
    `There is no app ${publicClient.replace('4', '5')} (did you mean "${publicClient}"?).`,
  ],
  [
    { user: 'alice', organizations: ['amce'] },
    'organizations[0]',
    'There is no organization amce (did you mean "acme"?).',
  ],
])('refuses %j, telling which was likely meant', async (request, path, message) => {
  const { status, body } = await call('POST', 'tokens', request)
  expect(status).toBe(400)
  expect(body).toMatchObject({ message, issues: [{ path, message }] })
})
