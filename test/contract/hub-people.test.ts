import { beforeEach, describe, expect, test } from 'vitest'
import { deleteUser } from '../../server/hub/accounts/users.ts'
import type {
  MemberResponse,
  OrganizationOverviewResponse,
  UserOverviewResponse,
} from '../../server/contract/hub-people.ts'
import { openDiscussion } from '../../server/hub/discussions/discussions.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { bearerOf } from '../helpers/user-token.ts'

type Name = keyof TestApp['users']
type Headers = Record<string, string>

let world: TestApp
let headers: Record<'alice' | 'bob' | 'carol', Headers>
beforeEach(async () => {
  world = await buildTestApp()
  headers = { alice: bearer('alice'), bob: bearer('bob'), carol: bearer('carol') }
})

const bearer = (name: Name, more = {}) => bearerOf(world, world.users[name], more)
const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, from: Headers = {}) =>
  world.server.inject({ method, url, headers: from })
const read = async <T>(url: string, from: Headers = {}) => (await ask('GET', url, from)).json<T>()
const names = async (url: string, from: Headers = {}) =>
  (await read<{ user: string }[]>(url, from)).map(({ user }) => user)
const overview = (from: Headers = {}) =>
  read<UserOverviewResponse>('/api/users/alice/overview', from)

describe('the overview of a user', () => {
  test('counts for each caller what that caller sees', async () => {
    const actorId = world.users.alice.id
    createRepo(world.deps, { type: 'model', name: 'alice/tiny', actorId })
    const secret = createRepo(world.deps, {
      type: 'dataset',
      name: 'alice/secret',
      actorId,
      visibility: 'private',
    })
    openDiscussion(world.deps, { repo: secret, title: 'A question', actorId })
    await ask('POST', '/api/datasets/alice/secret/like', headers.alice)
    expect(await overview()).toEqual({
      _id: actorId,
      user: 'alice',
      fullname: world.users.alice.fullname,
      avatarUrl: '/avatars/alice.svg',
      type: 'user',
      isPro: true,
      isFollowing: false,
      numModels: 1,
      numDatasets: 0,
      numSpaces: 0,
      numPapers: 0,
      numDiscussions: 0,
      numUpvotes: 0,
      numLikes: 0,
      numFollowers: 0,
      numFollowing: 0,
      numFollowingOrgs: 0,
      orgs: [
        {
          _id: world.organizations.acme.id,
          name: 'acme',
          fullname: world.organizations.acme.fullname,
          avatarUrl: '/avatars/acme.svg',
        },
      ],
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await overview(headers.alice)).toMatchObject({
      numDatasets: 1,
      numDiscussions: 1,
      numLikes: 1,
    })
  })

  test('is found by name in any case, and by id', async () => {
    const byId = await read(`/api/users/${world.users.alice.id}/overview`)
    expect(byId).toEqual(await read('/api/users/ALICE/overview'))
    expect(await read(`/api/organizations/${world.organizations.acme.id}/overview`)).toMatchObject({
      name: 'acme',
    })
  })

  test.each([
    '/api/users/nobody/overview',
    '/api/users/acme/overview',
    '/api/users/nobody/followers',
    '/api/users/nobody/following',
    '/api/users/nobody/avatar',
    '/api/organizations/alice/overview',
    '/api/organizations/none/members',
    '/api/organizations/none/followers',
    '/api/avatars/none',
  ])('is missing at %s', async (url) => {
    expect((await ask('GET', url)).statusCode).toBe(404)
  })
})

describe('a follow', () => {
  test('counts once, and ends once', async () => {
    for (const _ of [1, 2]) {
      expect((await ask('POST', '/api/users/alice/follow', headers.bob)).statusCode).toBe(200)
    }
    await ask('POST', '/api/organizations/acme/follow', headers.bob)
    await ask('POST', '/api/users/alice/follow', headers.carol)
    expect(await overview(headers.bob)).toMatchObject({ numFollowers: 2, isFollowing: true })
    expect(await overview(headers.alice)).toMatchObject({ isFollowing: false })
    expect(await names('/api/users/alice/followers')).toEqual(['carol', 'bob'])
    expect(await names('/api/users/bob/following')).toEqual(['alice'])
    expect(await names('/api/organizations/acme/followers')).toEqual(['bob'])
    expect(await read('/api/users/bob/overview')).toMatchObject({
      numFollowing: 1,
      numFollowingOrgs: 1,
    })
    for (const _ of [1, 2]) {
      expect((await ask('DELETE', '/api/users/alice/follow', headers.bob)).statusCode).toBe(200)
    }
    expect(await names('/api/users/alice/followers')).toEqual(['carol'])
  })

  test('ends with either account', async () => {
    await ask('POST', '/api/users/alice/follow', headers.bob)
    await ask('POST', '/api/users/bob/follow', headers.carol)
    deleteUser(world.deps, world.users.bob)
    expect(world.state.marks.size).toBe(0)
  })

  test('shows a caller which followers they follow', async () => {
    await ask('POST', '/api/users/alice/follow', headers.bob)
    await ask('POST', '/api/users/bob/follow', headers.alice)
    const followers = '/api/users/alice/followers'
    expect(await read(followers, headers.alice)).toMatchObject([{ isFollowing: true }])
    expect(await read(followers, headers.bob)).toMatchObject([{ isFollowing: false }])
    expect(await read<object[]>(followers)).toEqual([
      expect.not.objectContaining({ isFollowing: expect.anything() }),
    ])
  })

  test.each([
    ['of oneself', () => ask('POST', '/api/users/alice/follow', headers.alice), 400],
    ['by nobody', () => ask('POST', '/api/users/alice/follow'), 401],
    ['of nobody', () => ask('POST', '/api/users/nobody/follow', headers.bob), 404],
    [
      'by a read token',
      () => ask('POST', '/api/users/alice/follow', bearer('bob', { role: 'read' })),
      403,
    ],
    [
      'by an app',
      () =>
        ask(
          'POST',
          '/api/organizations/acme/follow',
          bearer('bob', { kind: 'oauth', role: undefined, scopes: ['manage-repos'] }),
        ),
      403,
    ],
  ])('%s is refused', async (_, call, status) => {
    expect((await call()).statusCode).toBe(status)
    expect(world.state.marks.size).toBe(0)
  })
})

describe('an organization', () => {
  test('is described with the numbers of its members and followers', async () => {
    expect(
      await read<OrganizationOverviewResponse>('/api/organizations/acme/overview', headers.bob),
    ).toMatchObject({
      name: 'acme',
      type: 'org',
      plan: 'enterprise',
      numUsers: 3,
      numFollowers: 0,
      isFollowing: false,
    })
  })

  test('lists its members, with their roles to members alone', async () => {
    const members = '/api/organizations/acme/members'
    expect(await names(members)).toEqual(['alice', 'bob', 'mallory'])
    const roles = async (from: Headers) =>
      (await read<MemberResponse[]>(members, from)).map(({ role }) => role)
    expect(await roles(headers.bob)).toEqual(['admin', 'write', 'read'])
    expect(await roles(headers.carol)).toEqual([undefined, undefined, undefined])
    const app = (scope: string, organizationIds = [world.organizations.acme.id]) =>
      roles(bearer('bob', { kind: 'oauth', role: undefined, scopes: [scope], organizationIds }))
    expect(await app('read-memberships')).toEqual(['admin', 'write', 'read'])
    expect(await app('read-repos')).toEqual([undefined, undefined, undefined])
    expect(await app('read-memberships', [])).toEqual([undefined, undefined, undefined])
    expect(await names(`${members}?search=MALL`)).toEqual(['mallory'])
    const first = await ask('GET', `${members}?limit=2`)
    expect(first.headers['link']).toMatch(/cursor=2.*rel="next"/)
  })

  test('finds a member by e-mail address for its administrators', async () => {
    const { email } = world.users.bob
    const url = `/api/organizations/acme/members?email=${encodeURIComponent(email.toUpperCase())}`
    expect(await names(url, headers.alice)).toEqual(['bob'])
    expect((await ask('GET', url, headers.bob)).statusCode).toBe(403)
    expect((await ask('GET', url)).statusCode).toBe(401)
    const other = '/api/organizations/acme/members?email=carol@example.com'
    expect(await names(other, headers.alice)).toEqual([])
  })
})

describe('an avatar', () => {
  test.each([
    ['/api/users/bob/avatar', {}, 200, undefined],
    ['/api/users/bob/avatar?redirect=true', {}, 302, '/avatars/bob.svg'],
    ['/api/users/bob/avatar', { 'sec-fetch-dest': 'image' }, 302, '/avatars/bob.svg'],
    ['/api/organizations/acme/avatar?redirect=true', {}, 302, '/avatars/acme.svg'],
    ['/api/avatars/BOB', {}, 302, '/avatars/bob.svg'],
    ['/api/avatars/acme', {}, 302, '/avatars/acme.svg'],
  ] as const)('is found at %s with %j', async (url, from, status, location) => {
    const answer = await ask('GET', url, { ...from })
    expect([answer.statusCode, answer.headers['location']]).toEqual([status, location])
  })

  test.each([
    ['https://pictures.example/é.png?a=b c', 'https://pictures.example/%C3%A9.png?a=b%20c'],
    ['/alice/tiny/resolve/main/my face.png', '/alice/tiny/resolve/main/my%20face.png'],
    ['https://\n', 'https%3A%2F%2F%0A'],
  ])('%j is encoded in a redirect', async (avatarUrl, location) => {
    world.state.users.put({ ...world.users.bob, avatarUrl })
    const answer = await ask('GET', '/api/avatars/bob')
    expect([answer.statusCode, answer.headers['location']]).toEqual([302, location])
  })

  test('is returned as JSON to programs', async () => {
    expect(await read('/api/users/bob/avatar')).toEqual({ avatarUrl: '/avatars/bob.svg' })
  })
})
