import { beforeEach, describe, expect, test } from 'vitest'
import type { LikeResponse, PersonResponse } from '../../server/contract/hub-people.ts'
import { deleteUser } from '../../server/hub/accounts/users.ts'
import { deleteRepo } from '../../server/hub/repos/repos.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, nextPage } from '../helpers/cast.ts'

const world = testApp()
const { as } = world
beforeEach(() => {
  world.makeRepo('alice/tiny')
  world.makeRepo('alice/secret', { visibility: 'private' })
  world.events.length = 0
})

const like = (user: Caller, repo = 'alice/tiny') => user.post(`/api/models/${repo}/like`)
const unlike = (user: Caller) => user.delete('/api/models/alice/tiny/like')
const likes = async (name: string, user = as()) =>
  (await user.get<LikeResponse[]>(`/api/users/${name}/likes`)).body.map(({ repo }) => repo.name)
const likers = async (repo = 'alice/tiny', user = as()) =>
  (await user.get<PersonResponse[]>(`/api/models/${repo}/likers`)).body.map(({ user: by }) => by)
const number = async () => (await as().get<{ likes: number }>('/api/models/alice/tiny')).body.likes

describe('a like', () => {
  test('counts once, and is taken back once', async () => {
    expect((await like(as('bob'))).status).toBe(200)
    expect((await like(as('bob'))).status).toBe(200)
    await like(as('carol'))
    expect([await number(), await likers()]).toEqual([2, ['carol', 'bob']])
    expect((await unlike(as('bob'))).status).toBe(200)
    expect((await unlike(as('bob'))).status).toBe(200)
    expect([await number(), await likers(), await likes('bob')]).toEqual([1, ['carol'], []])
  })

  test('is listed with its time, the newest first', async () => {
    world.makeRepo('alice/data', { type: 'dataset' })
    await like(as('bob'))
    world.clock.advance(1000)
    await as('bob').post('/api/datasets/alice/data/like')
    expect((await as().get('/api/users/BOB/likes')).body).toEqual([
      { createdAt: expect.stringMatching(/Z$/), repo: { name: 'alice/data', type: 'dataset' } },
      { createdAt: expect.stringMatching(/Z$/), repo: { name: 'alice/tiny', type: 'model' } },
    ])
    const first = await as().get('/api/users/bob/likes?limit=1')
    const second = await as().get(nextPage(first) ?? '')
    expect(second.body).toMatchObject([{ repo: { name: 'alice/tiny' } }])
    expect(second.headers['link']).toBeUndefined()
  })

  test('of a private repo is shown to those who see the repo', async () => {
    await like(as('alice'), 'alice/secret')
    expect(await likes('alice', as('alice'))).toEqual(['alice/secret'])
    expect(await likes('alice', as('bob'))).toEqual([])
    expect(await likes('alice')).toEqual([])
    expect(await likers('alice/secret', as('alice'))).toEqual(['alice'])
  })

  test('causes no event', async () => {
    await like(as('bob'))
    await unlike(as('bob'))
    expect(world.hubEvents()).toEqual([])
  })

  test('ends with its repo or its user', async () => {
    await like(as('bob'))
    await like(as('carol'))
    deleteUser(world.deps, world.users.bob)
    expect([await number(), await likers()]).toEqual([1, ['carol']])
    deleteRepo(world.deps, { repo: world.state.repos.find('name', 'model/alice/tiny')! })
    expect([await likes('carol'), world.state.marks.size]).toEqual([[], 0])
  })

  test.each([
    ['nobody', () => like(as()), 401],
    ['a read token', () => like(as('bob', { role: 'read' })), 403],
    [
      'an app, whatever its scopes',
      () => like(as('bob', { kind: 'oauth', role: undefined, scopes: ['manage-repos'] })),
      403,
    ],
    ['a user who does not see the repo', () => like(as('bob'), 'alice/secret'), 404],
    ['a user, for a repo that is missing', () => like(as('bob'), 'alice/none'), 404],
  ])('is refused from %s', async (_, call, status) => {
    expect((await call()).status).toBe(status)
    expect(world.state.marks.size).toBe(0)
  })

  test.each([
    ['/api/users/nobody/likes', 404],
    ['/api/users/alice/likes?limit=0', 400],
    ['/api/users/alice/likes?cursor=none', 200],
    ['/api/models/alice/none/likers', 401],
  ])('has a status for %s', async (url, status) => {
    expect((await as().get(url)).status).toBe(status)
  })
})
