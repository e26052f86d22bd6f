import { expect, test } from 'vitest'
import { playFlows } from '../helpers/played-flows.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import {
  MintedToken,
  TokenHistory,
  TokenItem,
  TokenList,
  TokenRights,
} from '../../server/contract/control-tokens.ts'
import {
  expectInvalid,
  expectNotFound,
  publicClient,
  secretClient,
  controlWorld,
} from '../helpers/control.ts'

const world = controlWorld()
const { call, hub, read, send } = world
const play = playFlows(world)

test('creates a working token of the first public app with its scopes', async () => {
  const minted = await send(MintedToken, 'POST', 'tokens', { user: 'alice' })
  expect(minted).toMatchObject({
    token_type: 'bearer',
    expires_in: 28_800,
    scope: 'openid profile email',
    id_token: expect.any(String),
    refresh_token: expect.any(String),
  })
  const answer = await play.userinfo(minted.access_token)
  expect(answer).toMatchObject({ status: 200, body: { preferred_username: 'alice' } })
})

test('creates a token with the given scope, lifetime and organizations', async () => {
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
  const item = await read(TokenItem, `tokens/${body.access_token}`)
  expect(item).toMatchObject({
    kind: 'oauth',
    grant: 'minted',
    state: 'active',
    app: { clientId: secretClient, name: 'Secret app' },
    user: { username: 'alice' },
    organizations: [{ name: 'acme' }],
  })
})

test('creates a user access token if a role is given', async () => {
  const minted = await send(MintedToken, 'POST', 'tokens', {
    user: 'bob',
    role: 'write',
    name: 'ci',
  })
  expect(minted.access_token).toMatch(/^hf_sandbox[A-Za-z0-9]{27}$/)
  const whoami = await play.whoami(minted.access_token)
  expect(whoami.body).toMatchObject({
    name: 'bob',
    auth: { accessToken: { displayName: 'ci', role: 'write' } },
  })
  // An exported file with it can be loaded again.
  const { body: fixtures } = await call<FixturesFile>('GET', 'export')
  expect(JSON.stringify(fixtures)).toContain(minted.access_token)
  const imported = await call('POST', 'snapshots', { name: 'with-a-minted-token', fixtures })
  expect(imported.status).toBe(201)
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
])('refuses to create a token from %j', async (request, paths) => {
  expectInvalid(await call('POST', 'tokens', request), paths)
})

test.each(['read_repos', ' ', ''])('refuses the scope %j', async (scope) => {
  const refused = await call('POST', 'tokens', { user: 'alice', scope })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ error: 'invalid_scope' })
})

test('grants known scopes beyond the settings, leaves out unknown ones, and reports both', async () => {
  const request = { user: 'alice', scope: 'openid jobs read_mcp' }
  const answer = await call('POST', 'tokens', request)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    scope: 'openid jobs',
    notices: [
      expect.stringMatching(/read_mcp \(did you mean "read-mcp"\?\).*jobs is not in the app's/),
    ],
  })
  const usual = await call('POST', 'tokens', { user: 'alice', scope: 'openid' })
  expect(usual.body).not.toHaveProperty('notices')
})

test('lists tokens newest first, by user, app and state, in pages', async () => {
  for (const user of ['alice', 'bob', 'alice'])
    await call('POST', 'tokens', { user, expiresIn: 60 })
  const all = await read(TokenList, 'tokens')
  expect(all.items.map(({ user, kind }) => `${user.username} ${kind}`)).toEqual([
    'alice oauth',
    'bob oauth',
    'alice oauth',
    'alice user',
  ])
  const first = await read(TokenList, 'tokens?limit=3')
  const second = await read(TokenList, `tokens?limit=3&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items]).toEqual(all.items)
  expect(second).not.toHaveProperty('nextCursor')

  const count = async (query: string) => (await read(TokenList, `tokens?${query}`)).items.length
  expect(await count('user=bob')).toBe(1)
  expect(await count(`clientId=${publicClient}&user=alice`)).toBe(2)
  await call('POST', 'clock', { advance: '61s' })
  expect(await count('state=expired')).toBe(3)
  expect(await count('state=active')).toBe(1)
})

test('invalid queries are refused', async () => {
  expectInvalid(await call('GET', 'tokens?limit=0'), ['limit'])
  expectInvalid(await call('GET', 'tokens?limit=many'), ['limit'])
  expectInvalid(await call('GET', 'tokens?state=old'), ['state'])
  expectInvalid(await call('GET', 'tokens?user=nobody'), ['user'])
  expectInvalid(await call('GET', 'tokens?cursor=gone'), ['cursor'])
})

test('revokes a token by its id or value; it stops working and is listed with the reason', async () => {
  const { body } = await call<MintedToken>('POST', 'tokens', { user: 'alice' })
  expect(await call('DELETE', `tokens/${body.access_token}`)).toMatchObject({ status: 200 })
  expect((await play.userinfo(body.access_token)).status).toBe(401)
  const { items } = await read(TokenList, 'tokens?state=revoked')
  expect(items).toMatchObject([
    { revokedAt: expect.any(String), revokedBecause: expect.stringContaining('sandbox') },
  ])
  expectNotFound(await call('DELETE', 'tokens/none'))
  expectNotFound(await call('GET', 'tokens/none'))
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
])('%j is refused with a suggestion', async (request, path, message) => {
  const { status, body } = await call('POST', 'tokens', request)
  expect(status).toBe(400)
  expect(body).toMatchObject({ message, issues: [{ path, message }] })
})

const historyOf = (token: string) => read(TokenHistory, `tokens/${token}/history`)

test('a token has its history: request, uses, refresh and end', async () => {
  const { body: minted } = await call<MintedToken>('POST', 'tokens', { user: 'alice' })
  expect(await historyOf(minted.access_token)).toEqual({
    refreshToken: 'unused',
    uses: 0,
    latestUses: [],
  })
  const { body: second } = await play.refresh(minted.refresh_token ?? '')
  const third = await play.refresh(second.refresh_token)
  await play.userinfo(second.access_token)
  await hub('POST', '/oauth/userinfo', { form: { access_token: second.access_token } })
  await play.userinfo(minted.access_token)
  const history = await historyOf(second.access_token)
  expect(history).toMatchObject({
    issuedBy: { requestId: expect.any(String), flowId: expect.any(String) },
    refreshToken: 'used',
    uses: 2,
    latestUses: [{ method: 'POST', path: '/oauth/userinfo' }, { method: 'GET' }],
  })
  expect(history.idToken).toMatchObject({
    name: 'id_token',
    secret: true,
    signature: { valid: true },
    atHash: { equal: true },
  })
  const idOf = async (token: string) => (await read(TokenItem, `tokens/${token}`)).id
  expect(history.refreshedFrom?.id).toBe(await idOf(minted.access_token))
  expect(history.refreshedInto?.id).toBe(await idOf(third.body.access_token))
  expect((await historyOf(minted.access_token)).refreshedFrom).toBeUndefined()
  // A second use of a refresh token revokes all that came from it.
  await play.refresh(minted.refresh_token ?? '')
  expect((await historyOf(third.body.access_token)).refreshToken).toBe('revoked')
  const shown = JSON.stringify(await historyOf(second.access_token))
  for (const secret of [second.access_token, second.refresh_token ?? 'none']) {
    expect(shown).not.toContain(secret)
  }
})

test('shows the latest uses of a token and counts the others', async () => {
  const { body } = await call<MintedToken>('POST', 'tokens', { user: 'alice', role: 'read' })
  for (let number = 0; number < 55; number += 1) {
    await hub('GET', `/api/whoami-v2?number=${number}`, { token: body.access_token })
  }
  const { uses, latestUses, refreshToken } = await historyOf(body.access_token)
  expect({ uses, shown: latestUses.length, refreshToken }).toEqual({
    uses: 55,
    shown: 50,
    refreshToken: 'none',
  })
  expect(latestUses[0]?.path).toContain('number=54')
})

test('a token has its rights, with the reasons of the limits', async () => {
  const { body } = await call<MintedToken>('POST', 'tokens', {
    user: 'bob',
    scope: 'openid email',
  })
  const rights = () => read(TokenRights, `tokens/${body.access_token}/rights`)
  const before = await rights()
  expect(before).toMatchObject({
    scopes: [
      { scope: 'openid', allows: expect.any(String) },
      { scope: 'email', allows: 'Read your e-mail address' },
    ],
    owners: [
      { kind: 'user', name: 'bob' },
      { kind: 'organization', name: 'acme', role: 'write' },
    ],
    ownersLeftOut: 0,
  })
  expect(before).not.toHaveProperty('refused')
  expect(before.rows.find(({ what }) => what === 'Read private repos')).toEqual({
    what: 'Read private repos',
    scopes: ['read-repos'],
    cells: [
      {
        owner: 'bob',
        allowed: false,
        because: expect.stringContaining('needs the scope read-repos'),
      },
      { owner: 'acme', allowed: false, because: expect.stringContaining('not granted') },
    ],
  })
  await call('DELETE', `tokens/${body.access_token}`)
  expect((await rights()).refused).toMatch(/revoked.*sandbox/)
})

test('names the organizations left out of a long table of permissions', async () => {
  for (let number = 0; number < 52; number += 1) {
    await call('POST', 'organizations', {
      name: `org-${number}`,
      members: [{ user: 'carol', role: 'read' }],
    })
  }
  const { body } = await call<MintedToken>('POST', 'tokens', { user: 'carol', role: 'read' })
  const rights = await read(TokenRights, `tokens/${body.access_token}/rights`)
  expect([rights.owners.length, rights.ownersLeftOut]).toEqual([51, 2])
})

test.each(['history', 'rights'])('%s of an unknown token is not found', async (what) => {
  expectNotFound(await call('GET', `tokens/none/${what}`))
})
