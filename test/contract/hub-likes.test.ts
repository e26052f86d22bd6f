import { beforeEach, describe, expect, test } from 'vitest'
import type { LikeResponse, PersonResponse } from '../../server/contract/hub-people.ts'
import { deleteUser } from '../../server/hub/accounts/users.ts'
import { createRepo, deleteRepo } from '../../server/hub/repos/repos.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { bearerOf } from '../helpers/user-token.ts'

type Name = keyof TestApp['users']
type Headers = Record<string, string>

let world: TestApp
let headers: Record<'alice' | 'bob' | 'carol', Headers>
beforeEach(async () => {
  world = await buildTestApp()
  headers = { alice: bearer('alice'), bob: bearer('bob'), carol: bearer('carol') }
  const actorId = world.users.alice.id
  createRepo(world.deps, { type: 'model', name: 'alice/tiny', actorId })
  createRepo(world.deps, { type: 'model', name: 'alice/secret', actorId, visibility: 'private' })
  world.events.length = 0
})

const bearer = (name: Name, more = {}) => bearerOf(world, world.users[name], more)
const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, from: Headers = {}) =>
  world.server.inject({ method, url, headers: from })
const like = (from: Headers, repo = 'alice/tiny') => ask('POST', `/api/models/${repo}/like`, from)
const unlike = (from: Headers, repo = 'alice/tiny') =>
  ask('DELETE', `/api/models/${repo}/like`, from)
const likes = async (user: string, from: Headers = {}) =>
  (await ask('GET', `/api/users/${user}/likes`, from))
    .json<LikeResponse[]>()
    .map(({ repo }) => repo.name)
const likers = async (repo = 'alice/tiny', from: Headers = {}) =>
  (await ask('GET', `/api/models/${repo}/likers`, from))
    .json<PersonResponse[]>()
    .map(({ user }) => user)
const number = async () =>
  (await ask('GET', '/api/models/alice/tiny')).json<{ likes: number }>().likes

describe('a like', () => {
  test('counts once, and is taken back once', async () => {
    expect((await like(headers.bob)).statusCode).toBe(200)
    expect((await like(headers.bob)).statusCode).toBe(200)
    await like(headers.carol)
    expect([await number(), await likers()]).toEqual([2, ['carol', 'bob']])
    expect((await unlike(headers.bob)).statusCode).toBe(200)
    expect((await unlike(headers.bob)).statusCode).toBe(200)
    expect([await number(), await likers(), await likes('bob')]).toEqual([1, ['carol'], []])
  })

  test('is listed with its time, the newest first', async () => {
    createRepo(world.deps, { type: 'dataset', name: 'alice/data', actorId: world.users.alice.id })
    await like(headers.bob)
    world.clock.advance(1000)
    await ask('POST', '/api/datasets/alice/data/like', headers.bob)
    expect((await ask('GET', '/api/users/BOB/likes')).json()).toEqual([
      { createdAt: expect.stringMatching(/Z$/), repo: { name: 'alice/data', type: 'dataset' } },
      { createdAt: expect.stringMatching(/Z$/), repo: { name: 'alice/tiny', type: 'model' } },
    ])
    const first = await ask('GET', '/api/users/bob/likes?limit=1')
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    const second = await ask('GET', new URL(next).pathname + new URL(next).search)
    expect(second.json()).toMatchObject([{ repo: { name: 'alice/tiny' } }])
    expect(second.headers['link']).toBeUndefined()
  })

  test('of a private repo is shown to those who see the repo', async () => {
    await like(headers.alice, 'alice/secret')
    expect(await likes('alice', headers.alice)).toEqual(['alice/secret'])
    expect(await likes('alice', headers.bob)).toEqual([])
    expect(await likes('alice')).toEqual([])
    expect(await likers('alice/secret', headers.alice)).toEqual(['alice'])
  })

  test('causes no event', async () => {
    await like(headers.bob)
    await unlike(headers.bob)
    expect(world.events.filter(({ type }) => type === 'hub.event')).toEqual([])
  })

  test('ends with its repo or its user', async () => {
    await like(headers.bob)
    await like(headers.carol)
    deleteUser(world.deps, world.users.bob)
    expect([await number(), await likers()]).toEqual([1, ['carol']])
    deleteRepo(world.deps, { repo: world.state.repos.find('name', 'model/alice/tiny')! })
    expect([await likes('carol'), world.state.marks.size]).toEqual([[], 0])
  })

  test.each([
    ['nobody', () => like({}), 401],
    ['a read token', () => like(bearer('bob', { role: 'read' })), 403],
    [
      'an app, whatever its scopes',
      () => like(bearer('bob', { kind: 'oauth', role: undefined, scopes: ['manage-repos'] })),
      403,
    ],
    ['a user who does not see the repo', () => like(headers.bob, 'alice/secret'), 404],
    ['a user, for a repo that is missing', () => like(headers.bob, 'alice/none'), 404],
  ])('is refused from %s', async (_, call, status) => {
    expect((await call()).statusCode).toBe(status)
    expect(world.state.marks.size).toBe(0)
  })

  test.each([
    ['/api/users/nobody/likes', 404],
    ['/api/users/alice/likes?limit=0', 400],
    ['/api/users/alice/likes?cursor=none', 200],
    ['/api/models/alice/none/likers', 401],
  ])('has a status for %s', async (url, status) => {
    expect((await ask('GET', url)).statusCode).toBe(status)
  })
})
