import { beforeEach, describe, expect, test } from 'vitest'
import { type LfsLockItem, lfsMediaType } from '../../server/contract/hub-lfs.ts'
import { createRepo, deleteRepo } from '../../server/hub/repos/repos.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { bearerOf } from '../helpers/user-token.ts'

const type = `${lfsMediaType}; charset=utf-8`

let world: TestApp
let repo: Repo
type Name = 'alice' | 'bob' | 'carol'
beforeEach(async () => {
  world = await buildTestApp()
  repo = createRepo(world.deps, {
    type: 'model',
    name: 'acme/model',
    actorId: world.users.alice.id,
  })
})

const basicOf = (name: Name) => {
  const { authorization = '' } = bearerOf(world, world.users[name])
  return { authorization: `Basic ${btoa(`${name}:${authorization.slice('Bearer '.length)}`)}` }
}
const post = (path: string, body: unknown, name?: Name) =>
  world.server.inject({
    method: 'POST',
    url: `/acme/model.git/info/lfs/locks${path}`,
    headers: { 'content-type': lfsMediaType, ...(name !== undefined && basicOf(name)) },
    payload: JSON.stringify(body),
  })
const list = async (query = '') =>
  (await world.server.inject(`/acme/model.git/info/lfs/locks${query}`)).json<{
    locks: LfsLockItem[]
    next_cursor?: string
  }>()
const lock = async (path: string, name: Name = 'alice', ref?: string) =>
  (await post('', { path, ...(ref !== undefined && { ref: { name: ref } }) }, name)).json<{
    lock: LfsLockItem
  }>().lock

describe('Git LFS locks', () => {
  test('a file is locked, listed and unlocked', async () => {
    const made = await post('', { path: 'a.bin', ref: { name: 'refs/heads/main' } }, 'alice')
    expect([made.statusCode, made.headers['content-type']]).toEqual([201, type])
    const item = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      path: 'a.bin',
      locked_at: '2026-01-15T12:00:00.000Z',
      owner: { name: 'alice' },
    }
    expect(made.json()).toEqual({ lock: item })
    expect(await list()).toEqual({ locks: [item] })
    const { id } = made.json<{ lock: LfsLockItem }>().lock
    const unlocked = await post(`/${id}/unlock`, {}, 'alice')
    expect([unlocked.statusCode, unlocked.json()]).toEqual([200, { lock: item }])
    expect(await list()).toEqual({ locks: [] })
  })

  test('a locked file cannot be locked again; the response names the lock', async () => {
    const first = await lock('a.bin')
    const again = await post('', { path: 'a.bin' }, 'bob')
    const message = 'a.bin is locked by alice already'
    expect([again.statusCode, again.json()]).toEqual([409, { lock: first, message }])
  })

  test('a lock for one branch leaves another free', async () => {
    await lock('a.bin', 'alice', 'refs/heads/main')
    const other = await post('', { path: 'a.bin', ref: { name: 'refs/heads/dev' } }, 'bob')
    expect(other.statusCode).toBe(201)
    expect((await list('?refspec=refs/heads/dev')).locks).toHaveLength(1)
    expect((await list('?path=a.bin')).locks).toHaveLength(2)
    expect((await list('?path=b.bin')).locks).toEqual([])
  })

  test('verify tells own locks from those of others', async () => {
    const [own, foreign] = [await lock('a.bin', 'bob'), await lock('b.bin', 'alice')]
    const verified = await post('/verify', { ref: { name: 'refs/heads/main' } }, 'bob')
    expect(verified.json()).toEqual({ ours: [own], theirs: [foreign] })
  })

  test('a lock of another user is unlocked only by force', async () => {
    const { id } = await lock('a.bin')
    const refused = await post(`/${id}/unlock`, {}, 'bob')
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({
      message: 'a.bin is locked by alice: unlock it with --force',
    })
    expect((await post(`/${id}/unlock`, { force: true }, 'bob')).statusCode).toBe(200)
    expect((await post(`/${id}/unlock`, { force: true }, 'bob')).statusCode).toBe(404)
  })

  test('locks come in pages', async () => {
    const all: LfsLockItem[] = []
    for (const path of ['a', 'b', 'c']) all.push(await lock(path))
    const first = await list('?limit=2')
    expect(first.locks).toEqual(all.slice(0, 2))
    const rest = await list(`?limit=2&cursor=${first.next_cursor}`)
    expect(rest).toEqual({ locks: all.slice(2) })
    const unknown = await world.server.inject('/acme/model.git/info/lfs/locks?cursor=x')
    expect(unknown.statusCode).toBe(400)
  })

  test('the locks of a deleted repo are gone', async () => {
    await lock('a.bin')
    deleteRepo(world.deps, { repo, actorId: world.users.alice.id })
    expect(world.state.lfsLocks.size).toBe(0)
  })

  test.each<[string, unknown, Name | undefined, number]>([
    ['nobody', { path: 'a' }, undefined, 401],
    ['a user without the right', { path: 'a' }, 'carol', 403],
    ['no path', {}, 'alice', 400],
    ['an empty path', { path: '' }, 'alice', 400],
    ['a path that no file can have', { path: '../a' }, 'alice', 422],
    ['a list', [], 'alice', 400],
    ['null', null, 'alice', 400],
  ])('%s is refused', async (_, body, name, status) => {
    const refused = await post('', body, name)
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([status, type])
    expect(world.state.lfsLocks.size).toBe(0)
  })
})
