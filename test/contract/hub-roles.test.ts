import { beforeEach, describe, expect, test } from 'vitest'
import type { ResourceGroupResponse } from '../../server/contract/hub-organizations.ts'
import type { Role } from '../../server/contract/words/account-words.ts'
import { updateOrganization } from '../../server/hub/accounts/organizations.ts'
import { testApp } from '../helpers/app.ts'
import type { Caller } from '../helpers/cast.ts'

const world = testApp()
const { as } = world
beforeEach(() => {
  world.makeRepo('acme/inner', { visibility: 'private' })
  world.events.length = 0
})

const setRole = (name: string, body: object | null, user = as('alice'), organization = 'acme') =>
  user.put(`/api/organizations/${organization}/members/${name}/role`, body)
const groups = '/api/organizations/acme/resource-groups'
const create = (body: object | null, user = as('alice')) =>
  user.post<ResourceGroupResponse>(groups, body)
const acme = () => world.state.organizations.get(world.organizations.acme.id)!
const roleOf = (name: 'alice' | 'bob') =>
  acme().members.find(({ userId }) => userId === world.users[name].id)?.role
const audit = () => [...world.state.auditRows.values()].map(({ type }) => type)

describe('the role of a member', () => {
  test('is changed and decides at once; the audit log records it', async () => {
    const answer = await setRole('BOB', { role: 'read' })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect(roleOf('bob')).toBe('read')
    const write = await as('bob').get('/api/models/acme/inner/auth-check/write')
    expect(write.status).toBe(403)
    expect([...world.state.auditRows.values()]).toMatchObject([
      {
        type: 'org.change_role',
        authorId: world.users.alice.id,
        data: { user: 'bob', from: 'write', to: 'read' },
      },
    ])
  })

  test('is changed in resource groups, too', async () => {
    const { id } = (await create({ name: 'inner' })).body
    const resourceGroups = [{ id, role: 'contributor' }]
    expect((await setRole('bob', { role: 'no_access', resourceGroups })).status).toBe(200)
    expect(acme().resourceGroups[0]?.members).toEqual([
      { userId: world.users.bob.id, role: 'contributor' },
    ])
  })

  test.each([
    ['an unknown role', () => setRole('bob', { role: 'king' }), 400],
    ['a list', () => setRole('bob', []), 400],
    ['null', () => setRole('bob', null), 400],
    ['the last administrator', () => setRole('alice', { role: 'write' }), 400],
    ['nobody', () => setRole('bob', { role: 'read' }, as()), 401],
    ['the free plan', () => setRole('bob', { role: 'read' }, as('alice')), 402],
    ['a member without the right', () => setRole('alice', { role: 'read' }, as('bob')), 403],
    ['an app', () => setRole('bob', { role: 'read' }, app()), 403],
    ['a user who is no member', () => setRole('carol', { role: 'read' }), 404],
    ['an unknown user', () => setRole('nobody', { role: 'read' }), 404],
    ['an unknown organization', () => setRole('bob', { role: 'read' }, as('alice'), 'none'), 404],
    [
      'an unknown group',
      () =>
        setRole('bob', { role: 'read', resourceGroups: [{ id: '0'.repeat(24), role: 'read' }] }),
      404,
    ],
  ])('stays for %s', async (what, call, status) => {
    if (what === 'the free plan') world.state.organizations.put({ ...acme(), plan: 'free' })
    expect((await call()).status).toBe(status)
    expect([roleOf('alice'), roleOf('bob'), audit()]).toEqual(['admin', 'write', []])
  })

  const app = () =>
    as('alice', {
      kind: 'oauth',
      scopes: ['manage-repos', 'read-memberships'],
      organizationIds: [world.organizations.acme.id],
    })
})

describe('a resource group', () => {
  const whole = {
    name: 'inner',
    description: 'For a few',
    users: [{ user: 'bob', role: 'read' }],
    repos: [{ type: 'model', name: 'acme/inner' }],
  }

  test('is created with members and repos, and rules over them', async () => {
    const answer = await create(whole)
    const group = answer.body
    expect(group).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'inner',
      description: 'For a few',
      users: [
        {
          _id: world.users.bob.id,
          type: 'user',
          name: 'bob',
          fullname: expect.any(String),
          avatarUrl: expect.any(String),
          role: 'read',
        },
      ],
      repos: [{ type: 'model', name: 'acme/inner', private: true }],
      resources: [{ type: 'model', name: 'acme/inner', private: true }],
    })
    expect((await as('bob').get('/api/models/acme/inner/auth-check/write')).status).toBe(403)
    const users = [{ user: 'bob', role: 'write' }]
    await as('alice').post(`${groups}/${group.id}/users`, { users })
    expect((await as('bob').get('/api/models/acme/inner/auth-check/write')).status).toBe(200)
    expect(audit()).toEqual([
      'resource_group.create',
      'repo.update_resource_group',
      'resource_group.add_users',
    ])
  })

  test('is listed to its members and to administrators', async () => {
    await create(whole)
    await create({ name: 'other' })
    const names = async (user: Caller) =>
      (await user.get<ResourceGroupResponse[]>(groups)).body.map(({ name }) => name)
    expect(await names(as('alice'))).toEqual(['inner', 'other'])
    expect(await names(as('bob'))).toEqual(['inner'])
    expect((await as('carol').get(groups)).status).toBe(403)
    expect((await as().get(groups)).status).toBe(401)
  })

  test('is read by its members, changed and deleted by administrators', async () => {
    const { id } = (await create(whole)).body
    const path = `${groups}/${id}`
    const status = async (user: Caller) => (await user.get(path)).status
    expect(await Promise.all([as('alice'), as('bob')].map(status))).toEqual([200, 200])
    const other = (await create({ name: 'other' })).body.id
    expect((await as('bob').get(`${groups}/${other}`)).body).toEqual({
      error: `Resource group not found: ${other}`,
    })
    const alice = as('alice')
    expect((await alice.patch(path, { name: 'other' })).status).toBe(409)
    const renamed = await alice.patch(path, { name: 'Inner', description: 'All' })
    expect(renamed.body).toMatchObject({ id, name: 'Inner', description: 'All' })
    const raised = await alice.patch<ResourceGroupResponse>(`${path}/users/bob`, { role: 'write' })
    expect(raised.body.users).toMatchObject([{ name: 'bob', role: 'write' }])
    expect((await alice.patch(`${path}/users/alice`, { role: 'write' })).status).toBe(404)
    const removed = await alice.delete<ResourceGroupResponse>(`${path}/users/bob`)
    expect(removed.body.users).toEqual([])
    expect((await alice.delete(`${path}/users/bob`)).status).toBe(404)
    for (const [method, at] of [
      ['PATCH', path],
      ['DELETE', path],
      ['DELETE', `${path}/users/bob`],
    ] as const) {
      expect((await as('bob').send(method, at, { name: 'mine' })).status).toBe(403)
    }
    expect((await alice.delete(path)).body).toEqual({ success: true })
    expect((await alice.delete(path)).status).toBe(404)
    // Its repo is that of all members again.
    expect((await as('bob').get('/api/models/acme/inner')).status).toBe(200)
    expect((await alice.get('/api/models/acme/inner/resource-group')).status).toBe(404)
    expect(audit().filter((type) => type.startsWith('resource_group.'))).toEqual([
      'resource_group.create',
      'resource_group.create',
      'resource_group.settings',
      'resource_group.change_role',
      'resource_group.remove_users',
      'resource_group.delete',
    ])
  })

  test('takes a repo and gives it back, with an event each', async () => {
    const { id } = (await create({ name: 'inner' })).body
    const path = '/api/models/acme/inner/resource-group'
    const move = (resourceGroupId: unknown, user = as('alice')) =>
      user.post(path, { resourceGroupId })
    expect((await as('alice').get(path)).status).toBe(404)
    const grouped = { type: 'model', name: 'acme/inner', private: true, addedBy: 'alice' }
    expect((await move(id)).body).toEqual(grouped)
    expect((await as('alice').get(path)).body).toEqual({ id, name: 'inner', numUsers: 0 })
    // The group hides it from members outside of it.
    expect((await move(null, as('bob'))).status).toBe(404)
    expect((await move(id)).status).toBe(200)
    const back = await move(null)
    expect(back.body).toEqual(grouped)
    expect((await as('alice').get(path)).status).toBe(404)
    expect((await move(null, as('bob'))).status).toBe(403)
    expect((await move('0'.repeat(24))).status).toBe(404)
    expect((await move('x')).status).toBe(400)
    const event = { scope: 'repo', action: 'update' }
    expect(world.hubEvents()).toMatchObject([event, event])
  })

  test.each([
    ['no name', {}, 400],
    ['an empty name', { name: '' }, 400],
    ['a long name', { name: 'x'.repeat(201) }, 400],
    ['a taken name', { name: 'TAKEN' }, 409],
    ['an unknown user', { name: 'a', users: [{ user: 'nobody', role: 'read' }] }, 404],
    ['a user who is no member', { name: 'a', users: [{ user: 'carol', role: 'read' }] }, 404],
    ['a repo of others', { name: 'a', repos: [{ type: 'model', name: 'alice/none' }] }, 404],
    ['a list', [], 400],
    ['null', null, 400],
  ])('is not created with %s', async (_, body, status) => {
    await create({ name: 'taken' })
    expect((await create(body)).status).toBe(status)
    expect((await create({ name: 'b' }, as('bob'))).status).toBe(403)
    expect(acme().resourceGroups).toHaveLength(1)
  })

  test('gives a collection back when it is deleted', async () => {
    const { id } = (await create({ name: 'inner' })).body
    const collection = { title: 'Inner', namespace: 'acme', resourceGroupId: id }
    const { slug } = (await as('alice').post<{ slug: string }>('/api/collections', collection)).body
    await as('alice').delete(`${groups}/${id}`)
    expect((await as('alice').get(`/api/collections/${slug}/resource-group`)).status).toBe(404)
  })

  test('is joined by new members if it is set so', async () => {
    const { id } = (await create({ name: 'inner' })).body
    const set = (autoJoin: object) =>
      as('alice').post<ResourceGroupResponse>(`${groups}/${id}/settings`, { autoJoin })
    const join = (role: Role) => {
      const member = (user: 'alice' | 'bob') => ({ user, role: roleOf(user)! })
      const rest = [member('alice'), member('bob')]
      updateOrganization(world.deps, acme(), { members: rest })
      updateOrganization(world.deps, acme(), { members: [...rest, { user: 'carol', role }] })
      return acme().resourceGroups[0]?.members
    }
    const on = { enabled: true, role: 'read', scope: 'read_plus' }
    expect((await set(on)).body.autoJoin).toEqual(on)
    expect(join('no_access')).toEqual([])
    expect(join('write')).toEqual([{ userId: world.users.carol.id, role: 'read' }])
    expect((await set({ enabled: 'false' })).body).not.toHaveProperty('autoJoin')
    await as('alice').delete(`${groups}/${id}/users/carol`)
    expect(join('write')).toEqual([])
  })

  test.each<[string, (path: string) => Promise<{ status: number }>, number]>([
    ['a taken name', (path) => as('alice').patch(path, { name: 'TAKEN' }), 409],
    ['an empty name', (path) => as('alice').patch(path, { name: '' }), 400],
    ['an unknown role', (path) => as('alice').patch(`${path}/users/bob`, { role: 'king' }), 400],
    ['automatic joining without a role', (path) => setJoin(path, { enabled: true }), 400],
    ['a member of another', (path) => as('alice').delete(`${path}/users/alice`), 404],
    ['an unknown user', (path) => as('alice').delete(`${path}/users/nobody`), 404],
    ['nobody', (path) => as().delete(path), 401],
    ['a member without the right', (path) => as('bob').delete(path), 403],
    ['an outsider', (path) => as('carol').get(path), 403],
    ['another id', () => as('alice').delete(`${groups}/${'0'.repeat(24)}`), 404],
    ['the free plan', freely, 402],
  ])('stays as it is for %s', async (_, call, status) => {
    await create({ name: 'taken' })
    const { id } = (await create(whole)).body
    const before = acme().resourceGroups
    expect((await call(`${groups}/${id}`)).status).toBe(status)
    expect(acme().resourceGroups).toEqual(before)
  })

  const setJoin = (path: string, autoJoin: object) =>
    as('alice').post(`${path}/settings`, { autoJoin })
  function freely(path: string) {
    world.state.organizations.put({ ...acme(), plan: 'free' })
    return as('alice').delete(path)
  }
})

describe('the settings for networks', () => {
  const path = '/api/organizations/acme/settings/network-security'
  const change = (json: object, user = as('alice')) => user.patch(path, json)
  const networks = (scopes: string[]) =>
    as('alice', { kind: 'oauth', scopes, organizationIds: [world.organizations.acme.id] })

  test('are kept, and the audit log records each change', async () => {
    const usual = {
      enforceAuth: false,
      enforceIpRestriction: false,
      highRateLimits: false,
      ipRanges: [],
      blockedContents: [],
      allowedContents: [],
      keepReposMetadataVisible: false,
    }
    expect((await as('alice').get(path)).body).toEqual(usual)
    const changes = {
      enforceIpRestriction: true,
      ipRanges: ['192.0.2.0/24', '2001:db8::/32'],
      blockedContents: [{ resource: '*', scope: 'evil' }],
    }
    expect((await change(changes)).body).toEqual({ ...usual, ...changes })
    await change({ enforceIpRestriction: false })
    expect((await as('alice').get(path)).body).toMatchObject({ ipRanges: changes.ipRanges })
    expect(audit()).toEqual([
      'org.settings.network.ip_restriction.enable',
      'org.settings.network',
      'org.settings.network.ip_restriction.disable',
    ])
  })

  test('open to their own scopes', async () => {
    expect((await networks(['read-network-security']).get(path)).status).toBe(200)
    expect((await change({}, networks(['read-network-security']))).status).toBe(403)
    expect((await change({}, networks(['write-network-security']))).status).toBe(200)
    expect((await networks(['read-memberships']).get(path)).status).toBe(403)
  })

  test.each<[string, object, Caller, number]>([
    ['a range that is none', { ipRanges: ['192.0.2.0'] }, as('alice'), 400],
    ['an empty scope', { blockedContents: [{ resource: '*', scope: '' }] }, as('alice'), 400],
    ['a member', {}, as('bob'), 403],
    ['an outsider', {}, as('carol'), 403],
    ['nobody', {}, as(), 401],
  ])('stay for %s', async (_, json, user, status) => {
    expect((await change(json, user)).status).toBe(status)
    expect(acme()).not.toHaveProperty('networkSecurity')
  })

  test('need an Enterprise plan', async () => {
    world.state.organizations.put({ ...acme(), plan: 'team' })
    expect((await as('alice').get(path)).status).toBe(402)
    expect((await change({})).status).toBe(402)
  })
})
