import { beforeEach, describe, expect, test } from 'vitest'
import type { ResourceGroupResponse } from '../../server/contract/hub-organizations.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { bearerOf } from '../helpers/user-token.ts'

type Headers = Record<string, string>

let world: TestApp
let alice: Headers
let bob: Headers
let carol: Headers
beforeEach(async () => {
  world = await buildTestApp()
  alice = bearerOf(world, world.users.alice)
  bob = bearerOf(world, world.users.bob)
  carol = bearerOf(world, world.users.carol)
  const actorId = world.users.alice.id
  createRepo(world.deps, { type: 'model', name: 'acme/inner', actorId, visibility: 'private' })
  world.events.length = 0
})

const send = (method: 'GET' | 'POST' | 'PUT', url: string, headers: Headers, payload?: unknown) =>
  world.server.inject({
    method,
    url,
    headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  })
const setRole = (user: string, body: unknown, headers = alice, name = 'acme') =>
  send('PUT', `/api/organizations/${name}/members/${user}/role`, headers, body)
const groups = '/api/organizations/acme/resource-groups'
const create = (body: unknown, headers = alice) => send('POST', groups, headers, body)
const acme = () => world.state.organizations.get(world.organizations.acme.id)!
const roleOf = (name: 'alice' | 'bob') =>
  acme().members.find(({ userId }) => userId === world.users[name].id)?.role
const audit = () => [...world.state.auditRows.values()].map(({ type }) => type)

describe('the role of a member', () => {
  test('is changed and decides at once; the audit log records it', async () => {
    const answer = await setRole('BOB', { role: 'read' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }])
    expect(roleOf('bob')).toBe('read')
    const write = await send('GET', '/api/models/acme/inner/auth-check/write', bob)
    expect(write.statusCode).toBe(403)
    expect([...world.state.auditRows.values()]).toMatchObject([
      {
        type: 'org.change_role',
        authorId: world.users.alice.id,
        data: { user: 'bob', from: 'write', to: 'read' },
      },
    ])
  })

  test('is changed in resource groups, too', async () => {
    const { id } = (await create({ name: 'inner' })).json<ResourceGroupResponse>()
    const resourceGroups = [{ id, role: 'contributor' }]
    expect((await setRole('bob', { role: 'no_access', resourceGroups })).statusCode).toBe(200)
    expect(acme().resourceGroups[0]?.members).toEqual([
      { userId: world.users.bob.id, role: 'contributor' },
    ])
  })

  test.each([
    ['an unknown role', () => setRole('bob', { role: 'king' }), 400],
    ['a list', () => setRole('bob', []), 400],
    ['null', () => setRole('bob', null), 400],
    ['the last administrator', () => setRole('alice', { role: 'write' }), 400],
    ['nobody', () => setRole('bob', { role: 'read' }, {}), 401],
    ['the free plan', () => setRole('bob', { role: 'read' }, alice), 402],
    ['a member without the right', () => setRole('alice', { role: 'read' }, bob), 403],
    ['an app', () => setRole('bob', { role: 'read' }, app()), 403],
    ['a user who is no member', () => setRole('carol', { role: 'read' }), 404],
    ['an unknown user', () => setRole('nobody', { role: 'read' }), 404],
    ['an unknown organization', () => setRole('bob', { role: 'read' }, alice, 'none'), 404],
    [
      'an unknown group',
      () =>
        setRole('bob', { role: 'read', resourceGroups: [{ id: '0'.repeat(24), role: 'read' }] }),
      404,
    ],
  ])('stays for %s', async (what, call, status) => {
    if (what === 'the free plan') world.state.organizations.put({ ...acme(), plan: 'free' })
    expect((await call()).statusCode).toBe(status)
    expect([roleOf('alice'), roleOf('bob'), audit()]).toEqual(['admin', 'write', []])
  })

  const app = () =>
    bearerOf(world, world.users.alice, {
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
    const group = answer.json<ResourceGroupResponse>()
    expect(group).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'inner',
      description: 'For a few',
      users: [expect.objectContaining({ user: 'bob', role: 'read' })],
      repos: [{ type: 'model', name: 'acme/inner', private: true }],
    })
    expect((await send('GET', '/api/models/acme/inner/auth-check/write', bob)).statusCode).toBe(403)
    const users = [{ user: 'bob', role: 'write' }]
    await send('POST', `${groups}/${group.id}/users`, alice, { users })
    expect((await send('GET', '/api/models/acme/inner/auth-check/write', bob)).statusCode).toBe(200)
    expect(audit()).toEqual([
      'resource_group.create',
      'repo.update_resource_group',
      'resource_group.add_users',
    ])
  })

  test('is listed to its members and to administrators', async () => {
    await create(whole)
    await create({ name: 'other' })
    const names = async (headers: Headers) =>
      (await send('GET', groups, headers)).json<ResourceGroupResponse[]>().map(({ name }) => name)
    expect(await names(alice)).toEqual(['inner', 'other'])
    expect(await names(bob)).toEqual(['inner'])
    expect((await send('GET', groups, carol)).statusCode).toBe(403)
    expect((await send('GET', groups, {})).statusCode).toBe(401)
  })

  test('takes a repo and gives it back, with an event each', async () => {
    const { id } = (await create({ name: 'inner' })).json<ResourceGroupResponse>()
    const path = '/api/models/acme/inner/resource-group'
    const move = (resourceGroupId: unknown, headers = alice) =>
      send('POST', path, headers, { resourceGroupId })
    expect((await send('GET', path, alice)).statusCode).toBe(404)
    expect((await move(id)).json()).toMatchObject({
      id: 'acme/inner',
      private: true,
      resourceGroup: { id, name: 'inner', numUsers: 0 },
    })
    expect((await send('GET', path, alice)).json()).toEqual({ id, name: 'inner', numUsers: 0 })
    // The group hides it from members outside of it.
    expect((await move(null, bob)).statusCode).toBe(404)
    expect((await move(id)).statusCode).toBe(200)
    expect((await move(null)).json()).not.toHaveProperty('resourceGroup')
    expect((await move(null, bob)).statusCode).toBe(403)
    expect((await move('0'.repeat(24))).statusCode).toBe(404)
    expect((await move('x')).statusCode).toBe(400)
    const told = world.events.filter(({ type }) => type === 'hub.event')
    expect(told).toMatchObject([
      { data: { scope: 'repo', action: 'update' } },
      { data: { scope: 'repo', action: 'update' } },
    ])
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
    expect((await create(body)).statusCode).toBe(status)
    expect((await create({ name: 'b' }, bob)).statusCode).toBe(403)
    expect(acme().resourceGroups).toHaveLength(1)
  })
})
