import { describe, expect, test } from 'vitest'
import {
  AuditList,
  OrganizationItem,
  OrganizationList,
  UserItem,
  UserList,
} from '../../server/contract/control-accounts.ts'
import { checkFixtures } from '../../server/fixtures/check/check-fixtures.ts'
import type { MintedToken } from '../../server/contract/control-tokens.ts'
import {
  exchangeClient,
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectShape,
  controlWorld,
} from '../helpers/control.ts'

const world = controlWorld()
const { call, hub, read, make, send } = world

test('names of the hub are accepted and shown everywhere', async () => {
  const dots = await call<UserItem>('POST', 'users', { username: 'hub.js' })
  expect(dots.status).toBe(201)
  const members = [{ user: 'hub.js', role: 'admin' }]
  const made = await call('POST', 'organizations', { name: 'valid_org_hub', members })
  expect(made.status).toBe(201)
  const repo = await call('POST', 'repos', { type: 'model', name: 'valid_org_hub/v1.0_b' })
  expect(repo.body).toMatchObject({ name: 'valid_org_hub/v1.0_b' })
  const [avatar, other] = await Promise.all([
    hub<string>('GET', '/avatars/hub.js.svg'),
    hub<string>('GET', '/avatars/hub.svg'),
  ])
  expect(avatar.status).toBe(200)
  expect(avatar.body).not.toBe(other.body)
  // What the sandbox takes, it also reads again.
  const exported = await call('GET', 'export')
  expect(checkFixtures(exported.body)).toHaveProperty('file')
  for (const username of ['a--b', '_a', 'x'.repeat(43)]) {
    const refused = await call('POST', 'users', { username })
    expectInvalid(refused, ['username'])
  }
})

test('lists users in the order of the fixtures', async () => {
  const body = await read(UserList, 'users')
  expect(body.items.map(({ username }) => username)).toEqual(['alice', 'bob', 'carol'])
  expect(body.items[1]).toMatchObject({ organizations: [{ name: 'acme', role: 'write' }] })
})

test('a user is created with defaults and changed', async () => {
  const made = await make(UserItem, 'users', { username: 'Dora' })
  expect(made).toMatchObject({
    email: 'dora@example.com',
    emailVerified: true,
    fullname: 'Dora',
    hasPassword: false,
  })
  const changed = await send(UserItem, 'PATCH', 'users/dora', {
    fullname: 'Dora D.',
    isPro: true,
    password: 'secret',
    website: 'https://dora.example',
    avatar: '/pictures/dora.png',
  })
  expect(changed).toMatchObject({
    fullname: 'Dora D.',
    isPro: true,
    hasPassword: true,
    website: 'https://dora.example',
    avatarUrl: `${world.sandbox.url}/pictures/dora.png`,
  })
  const cleared = await call<UserItem>('PATCH', 'users/DORA', {
    password: null,
    website: null,
    avatar: null,
  })
  expect(cleared.body).toMatchObject({ hasPassword: false, fullname: 'Dora D.' })
  expect(cleared.body).not.toHaveProperty('website')
  expect((await call('GET', 'users/dora')).body).toEqual(cleared.body)
})

test('taken or invalid names and e-mail addresses are refused', async () => {
  expectConflict(await call('POST', 'users', { username: 'ALICE' }))
  expectConflict(await call('POST', 'users', { username: 'Acme' }))
  expectConflict(await call('POST', 'users', { username: 'x', email: 'Bob@example.com' }))
  expectConflict(await call('PATCH', 'users/alice', { username: 'bob' }))
  expectInvalid(await call('POST', 'users', { username: 'a/b', email: 'none' }), [
    'username',
    'email',
  ])
  for (const method of ['GET', 'DELETE'] as const) {
    expectNotFound(await call(method, 'users/nobody'))
  }
})

test('a renamed organization keeps its repos, and old names redirect', async () => {
  const renamed = await call<OrganizationItem>('PATCH', 'organizations/acme', { name: 'apex' })
  expect(renamed.body.name).toBe('apex')
  for (const name of ['apex/corpus', 'acme/corpus']) {
    const repo = await call('GET', `repos/datasets/${name}`)
    expect(repo.body).toMatchObject({ name: 'apex/corpus' })
  }
})

test('deleting a user deletes tokens, sessions, memberships, webhooks and repos', async () => {
  const { body } = await call<MintedToken>('POST', 'tokens', { user: 'bob' })
  await call('POST', 'repos', { type: 'model', name: 'bob/mine' })
  await call('POST', 'sessions', { user: 'bob' })
  await call('POST', 'webhooks', {
    user: 'bob',
    url: 'http://localhost:9/',
    watched: [{ type: 'user', name: 'bob' }],
  })
  expect((await call('DELETE', 'users/bob')).status).toBe(200)
  const headers = { authorization: `Bearer ${body.access_token}` }
  expect((await hub('GET', '/oauth/userinfo', { headers })).status).toBe(401)
  const { sessions, webhooks, organizations, repos } = world.sandbox.deps.state
  expect([sessions.size, webhooks.size]).toEqual([0, 0])
  expect(organizations.find('name', 'acme')?.members).toHaveLength(1)
  expect(repos.find('name', 'model/bob/mine')).toBeUndefined()
  expectNotFound(await call('GET', 'users/bob'))
})

test('an organization is created, and its members, groups and restrictions are replaced', async () => {
  const made = await make(OrganizationItem, 'organizations', {
    name: 'labs',
    plan: 'team',
    members: [{ user: 'alice', role: 'admin' }],
    resourceGroups: [{ name: 'secret', members: [{ user: 'alice', role: 'read' }] }],
  })
  const group = made.resourceGroups[0]!
  const changed = await call<OrganizationItem>('PATCH', 'organizations/labs', {
    members: [
      { user: 'alice', role: 'admin' },
      { user: 'bob', role: 'contributor' },
    ],
    resourceGroups: [
      { name: 'secret', members: [] },
      { name: 'open', members: [{ user: 'bob', role: 'write' }] },
    ],
    securityRestrictions: [{ type: 'mfa', users: ['bob'] }, { type: 'ip' }],
    defaultVisibility: 'private',
  })
  expect([made.defaultVisibility, changed.body.defaultVisibility]).toEqual(['public', 'private'])
  const { body: repo } = await call('POST', 'repos', { type: 'model', name: 'labs/new' })
  expect(repo).toMatchObject({ private: true })
  expectShape(OrganizationItem, changed.body)
  expect(changed.body.members.map(({ user, role }) => [user.username, role])).toEqual([
    ['alice', 'admin'],
    ['bob', 'contributor'],
  ])
  expect(changed.body.resourceGroups[0]).toMatchObject({ id: group.id, members: [] })
  expect(changed.body.securityRestrictions).toEqual([
    { type: 'mfa', users: ['bob'] },
    { type: 'ip' },
  ])
  await read(OrganizationList, 'organizations')
  expect((await call('GET', 'organizations/labs')).body).toEqual(changed.body)
  expect((await call('DELETE', 'organizations/labs')).status).toBe(200)
  expectNotFound(await call('GET', 'organizations/labs'))
})

describe('an organization with a group', () => {
  const patch = (body: object) => call<OrganizationItem>('PATCH', 'organizations/acme', body)
  const loadExport = async () => checkFixtures((await call('GET', 'export')).body)

  test('loses users who leave from its groups and restrictions', async () => {
    await patch({
      resourceGroups: [{ name: 'first', members: [{ user: 'bob', role: 'admin' }] }],
      securityRestrictions: [{ type: 'mfa', users: ['bob'] }, { type: 'ip' }],
    })
    const { body } = await patch({ members: [{ user: 'alice', role: 'admin' }] })
    expect(body.resourceGroups).toMatchObject([{ name: 'first', members: [] }])
    expect(body.securityRestrictions).toEqual([{ type: 'ip' }])
    expect(await loadExport()).toHaveProperty('file')
  })

  test('refuses users who are not members, and groups of one name', async () => {
    const members = [{ user: 'carol', role: 'read' }]
    expectInvalid(await patch({ resourceGroups: [{ name: 'first', members }] }), [
      'resourceGroups[0].members[0].user',
    ])
    expectInvalid(await patch({ securityRestrictions: [{ type: 'mfa', users: ['carol'] }] }), [
      'securityRestrictions[0].users[0]',
    ])
    const names = ['first', 'First'].map((name) => ({ name, members: [] }))
    expectInvalid(await patch({ resourceGroups: names }), ['resourceGroups[1].name'])
    const resourceGroups = [{ name: 'first', members }]
    expectInvalid(await call('POST', 'organizations', { name: 'labs', resourceGroups }), [
      'resourceGroups[0].members[0].user',
    ])
  })

  test('keeps the repos and collections of a group that is removed, in no group', async () => {
    const { body } = await patch({ resourceGroups: [{ name: 'first', members: [] }] })
    const { state } = world.sandbox.deps
    const [group] = body.resourceGroups
    await call('POST', 'collections', { owner: 'acme', title: 'Ours' })
    const repo = state.repos.find('name', 'model/acme/tagger')!
    const collection = state.hubCollections.last()!
    const resourceGroupId = group!.id
    state.repos.put({ ...repo, resourceGroupId })
    state.hubCollections.put({ ...collection, resourceGroupId })
    await patch({ resourceGroups: [] })
    expect(state.repos.get(repo.id)).not.toHaveProperty('resourceGroupId')
    expect(state.hubCollections.get(collection.id)).not.toHaveProperty('resourceGroupId')
    expect(await loadExport()).toHaveProperty('file')
  })
})

test('deleting an organization revokes the tokens that are limited to it', async () => {
  const credentials = Buffer.from(`${exchangeClient}:sandbox_exchange_secret`).toString('base64')
  const { body } = await hub<MintedToken>('POST', '/oauth/token', {
    headers: { authorization: `Basic ${credentials}` },
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'bob@example.com',
      subject_token_type: 'urn:huggingface:token-type:user-email',
      scope: 'openid',
    },
  })
  const userinfo = () =>
    hub('GET', '/oauth/userinfo', { headers: { authorization: `Bearer ${body.access_token}` } })
  await call('PATCH', `apps/${exchangeClient}`, { organization: null, privileges: [] })
  expect((await userinfo()).status).toBe(200)
  expect((await call('DELETE', 'organizations/acme')).status).toBe(200)
  expect((await userinfo()).status).toBe(401)
})

test('unknown and repeated members, taken names and the deletion of bound organizations are refused', async () => {
  const patch = (body: object) => call('PATCH', 'organizations/acme', body)
  expectInvalid(await patch({ members: [{ user: 'nobody', role: 'read' }] }), ['members[0].user'])
  const twice = [
    { user: 'bob', role: 'read' },
    { user: 'Bob', role: 'read' },
  ]
  expectInvalid(await patch({ members: twice }), ['members[1].user'])
  expectInvalid(await patch({ members: [{ user: 'bob', role: 'king' }] }), ['members[0].role'])
  expectInvalid(await patch({ securityRestrictions: [{ type: 'mfa', users: ['x'] }] }), [
    'securityRestrictions[0].users[0]',
  ])
  expectConflict(await patch({ name: 'alice' }))
  const authorizedOrganizations = ['acme']
  const app = { name: 'Members only', authorizedOrganizations }
  const { clientId } = (await call<{ clientId: string }>('POST', 'apps', app)).body
  expect(await call('DELETE', 'organizations/acme')).toMatchObject({
    status: 409,
    body: {
      error: 'conflict',
      message:
        'Apps are bound to acme: Exchange app. Apps are for members of acme only: Members only.',
    },
  })
  await call('DELETE', `apps/${exchangeClient}`)
  expectConflict(await call('DELETE', 'organizations/acme'))
  await call('DELETE', `apps/${clientId}`)
  expect((await call('DELETE', 'organizations/acme')).status).toBe(200)
})

test('shows the audit log of a token exchange, by organization, type and author', async () => {
  const credentials = Buffer.from(`${exchangeClient}:sandbox_exchange_secret`).toString('base64')
  const exchanged = await hub('POST', '/oauth/token', {
    headers: { authorization: `Basic ${credentials}`, 'user-agent': 'tests' },
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'bob@example.com',
      subject_token_type: 'urn:huggingface:token-type:user-email',
      scope: 'openid',
    },
  })
  expect(exchanged).toMatchObject({ status: 200 })
  const all = await read(AuditList, 'audit-log')
  expect(all.items).toMatchObject([
    { organization: 'acme', type: 'oauth.token', clientId: exchangeClient, userAgent: 'tests' },
  ])
  const count = async (query: string) => (await read(AuditList, `audit-log?${query}`)).items.length
  expect(await count('organization=acme&type=oauth.token')).toBe(1)
  expect(await count('type=org.create')).toBe(0)
  expect(await count('author=alice')).toBe(0)
  expectInvalid(await call('GET', 'audit-log?organization=nowhere'), ['organization'])
})
