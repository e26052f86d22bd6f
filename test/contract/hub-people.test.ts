import { describe, expect, test } from 'vitest'
import { deleteUser } from '../../server/hub/accounts/users.ts'
import type {
  MemberResponse,
  OrganizationOverviewResponse,
  UserOverviewResponse,
} from '../../server/contract/hub-people.ts'
import { openDiscussion } from '../../server/hub/discussions/discussions.ts'
import { testApp } from '../helpers/app.ts'
import type { Caller } from '../helpers/cast.ts'

const world = testApp()
const { as } = world

const read = async <T>(url: string, from = as()) => (await from.get<T>(url)).body
const names = async (url: string, from = as()) =>
  (await read<{ user: string }[]>(url, from)).map(({ user }) => user)
const overview = (from = as()) => read<UserOverviewResponse>('/api/users/alice/overview', from)

describe('the overview of a user', () => {
  test('counts for each caller what that caller sees', async () => {
    const actorId = world.users.alice.id
    world.makeRepo('alice/tiny')
    const secret = world.makeRepo('alice/secret', { type: 'dataset', visibility: 'private' })
    openDiscussion(world.deps, { repo: secret, title: 'A question', actorId })
    await as('alice').post('/api/datasets/alice/secret/like')
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
          id: world.organizations.acme.id,
          name: 'acme',
          fullname: world.organizations.acme.fullname,
          avatarUrl: '/avatars/acme.svg',
        },
      ],
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await overview(as('alice'))).toMatchObject({
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
    expect((await as().get(url)).status).toBe(404)
  })
})

describe('a follow', () => {
  test('counts once, and ends once', async () => {
    for (const _ of [1, 2]) {
      expect((await as('bob').post('/api/users/alice/follow')).status).toBe(200)
    }
    await as('bob').post('/api/organizations/acme/follow')
    await as('carol').post('/api/users/alice/follow')
    expect(await overview(as('bob'))).toMatchObject({ numFollowers: 2, isFollowing: true })
    expect(await overview(as('alice'))).toMatchObject({ isFollowing: false })
    expect(await names('/api/users/alice/followers')).toEqual(['carol', 'bob'])
    expect(await names('/api/users/bob/following')).toEqual(['alice'])
    expect(await names('/api/organizations/acme/followers')).toEqual(['bob'])
    expect(await read('/api/users/bob/overview')).toMatchObject({
      numFollowing: 1,
      numFollowingOrgs: 1,
    })
    for (const _ of [1, 2]) {
      expect((await as('bob').delete('/api/users/alice/follow')).status).toBe(200)
    }
    expect(await names('/api/users/alice/followers')).toEqual(['carol'])
  })

  test('ends with either account', async () => {
    await as('bob').post('/api/users/alice/follow')
    await as('carol').post('/api/users/bob/follow')
    deleteUser(world.deps, world.users.bob)
    expect(world.state.marks.size).toBe(0)
  })

  test('shows a caller which followers they follow', async () => {
    await as('bob').post('/api/users/alice/follow')
    await as('alice').post('/api/users/bob/follow')
    const followers = '/api/users/alice/followers'
    expect(await read(followers, as('alice'))).toMatchObject([{ isFollowing: true }])
    expect(await read(followers, as('bob'))).toMatchObject([{ isFollowing: false }])
    expect(await read<object[]>(followers)).toEqual([
      expect.not.objectContaining({ isFollowing: expect.anything() }),
    ])
  })

  test.each([
    ['of oneself', () => as('alice').post('/api/users/alice/follow'), 400],
    ['by nobody', () => as().post('/api/users/alice/follow'), 401],
    ['of nobody', () => as('bob').post('/api/users/nobody/follow'), 404],
    ['by a read token', () => as('bob', { role: 'read' }).post('/api/users/alice/follow'), 403],
    [
      'by an app',
      () =>
        as('bob', { kind: 'oauth', role: undefined, scopes: ['manage-repos'] }).post(
          '/api/organizations/acme/follow',
        ),
      403,
    ],
  ])('%s is refused', async (_, call, status) => {
    expect((await call()).status).toBe(status)
    expect(world.state.marks.size).toBe(0)
  })
})

describe('an organization', () => {
  test('is described with the numbers of its members and followers', async () => {
    expect(
      await read<OrganizationOverviewResponse>('/api/organizations/acme/overview', as('bob')),
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
    const roles = async (from: Caller) =>
      (await read<MemberResponse[]>(members, from)).map(({ role }) => role)
    expect(await roles(as('bob'))).toEqual(['admin', 'write', 'read'])
    expect(await roles(as('carol'))).toEqual([undefined, undefined, undefined])
    const app = (scope: string, organizationIds = [world.organizations.acme.id]) =>
      roles(as('bob', { kind: 'oauth', role: undefined, scopes: [scope], organizationIds }))
    expect(await app('read-memberships')).toEqual(['admin', 'write', 'read'])
    expect(await app('read-repos')).toEqual([undefined, undefined, undefined])
    expect(await app('read-memberships', [])).toEqual([undefined, undefined, undefined])
    expect(await names(`${members}?search=MALL`)).toEqual(['mallory'])
  })

  test('lists its members by pages of 10 to 10,000', async () => {
    const members = '/api/organizations/acme/members'
    const { state, organizations, users } = world
    const more = Array.from({ length: 9 }, (_, index) =>
      state.users.put({
        ...users.carol,
        id: `${index}`.repeat(24),
        username: `member-${index}`,
        email: `${index}@example.com`,
      }),
    )
    const all = [
      ...organizations.acme.members,
      ...more.map(({ id }) => ({ userId: id, role: 'read' as const })),
    ]
    state.organizations.put({ ...organizations.acme, members: all })
    expect(await names(members)).toHaveLength(12)
    const first = await as().get<unknown[]>(`${members}?limit=10`)
    expect(first.body).toHaveLength(10)
    expect(first.headers['link']).toMatch(/cursor=10.*rel="next"/)
    for (const limit of [9, 10_001]) {
      expect((await as().get(`${members}?limit=${limit}`)).status).toBe(400)
    }
    expect((await as().get(`${members}?limit=10000`)).status).toBe(200)
  })

  test('finds a member by e-mail address for its administrators', async () => {
    const { email } = world.users.bob
    const url = `/api/organizations/acme/members?email=${encodeURIComponent(email.toUpperCase())}`
    expect(await names(url, as('alice'))).toEqual(['bob'])
    expect((await as('bob').get(url)).status).toBe(403)
    expect((await as().get(url)).status).toBe(401)
    const other = '/api/organizations/acme/members?email=carol@example.com'
    expect(await names(other, as('alice'))).toEqual([])
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
    const answer = await as().get(url, undefined, from)
    expect([answer.status, answer.headers['location']]).toEqual([status, location])
  })

  test.each([
    ['https://pictures.example/é.png?a=b c', 'https://pictures.example/%C3%A9.png?a=b%20c'],
    ['/alice/tiny/resolve/main/my face.png', '/alice/tiny/resolve/main/my%20face.png'],
    ['https://\n', 'https%3A%2F%2F%0A'],
  ])('%j is encoded in a redirect', async (avatarUrl, location) => {
    world.state.users.put({ ...world.users.bob, avatarUrl })
    const answer = await as().get('/api/avatars/bob')
    expect([answer.status, answer.headers['location']]).toEqual([302, location])
  })

  test('is returned as JSON to programs', async () => {
    expect(await read('/api/users/bob/avatar')).toEqual({ avatarUrl: '/avatars/bob.svg' })
  })
})
