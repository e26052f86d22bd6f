import { beforeEach, describe, expect, test } from 'vitest'
import { type LfsLockItem, lfsMediaType } from '../../server/contract/hub-lfs.ts'
import { deleteRepo } from '../../server/hub/repos/repos.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { gitCaller } from '../helpers/cast.ts'

const type = `${lfsMediaType}; charset=utf-8`

const world = testApp()
let repo: Repo
beforeEach(() => {
  repo = world.makeRepo('acme/model')
})

type User = 'alice' | 'bob' | 'carol'
const locks = '/acme/model.git/info/lfs/locks'
const post = <T = { lock: LfsLockItem }>(path: string, body: object | null, user?: User) =>
  (user === undefined ? world.as() : gitCaller(world, user)).post<T>(`${locks}${path}`, body, {
    'content-type': lfsMediaType,
  })
const list = async (query = '') =>
  (await world.as().get<{ locks: LfsLockItem[]; next_cursor?: string }>(`${locks}${query}`)).body
const lock = async (path: string, user: User = 'alice', ref?: string) =>
  (await post('', { path, ...(ref !== undefined && { ref: { name: ref } }) }, user)).body.lock

describe('Git LFS locks', () => {
  test('a file is locked, listed and unlocked', async () => {
    const made = await post('', { path: 'a.bin', ref: { name: 'refs/heads/main' } }, 'alice')
    expect([made.status, made.headers['content-type']]).toEqual([201, type])
    const item = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      path: 'a.bin',
      locked_at: '2026-01-15T12:00:00.000Z',
      owner: { name: 'alice' },
    }
    expect(made.body).toEqual({ lock: item })
    expect(await list()).toEqual({ locks: [item] })
    const { id } = made.body.lock
    const unlocked = await post(`/${id}/unlock`, {}, 'alice')
    expect([unlocked.status, unlocked.body]).toEqual([200, { lock: item }])
    expect(await list()).toEqual({ locks: [] })
  })

  test('a locked file cannot be locked again; the response names the lock', async () => {
    const first = await lock('a.bin')
    const again = await post('', { path: 'a.bin' }, 'bob')
    const message = 'a.bin is locked by alice already'
    expect([again.status, again.body]).toEqual([409, { lock: first, message }])
  })

  test('a lock for one branch leaves another free', async () => {
    await lock('a.bin', 'alice', 'refs/heads/main')
    const other = await post('', { path: 'a.bin', ref: { name: 'refs/heads/dev' } }, 'bob')
    expect(other.status).toBe(201)
    expect((await list('?refspec=refs/heads/dev')).locks).toHaveLength(1)
    expect((await list('?path=a.bin')).locks).toHaveLength(2)
    expect((await list('?path=b.bin')).locks).toEqual([])
  })

  test('verify tells own locks from those of others', async () => {
    const [own, foreign] = [await lock('a.bin', 'bob'), await lock('b.bin', 'alice')]
    const verified = await post('/verify', { ref: { name: 'refs/heads/main' } }, 'bob')
    expect(verified.body).toEqual({ ours: [own], theirs: [foreign] })
  })

  test('a lock of another user is unlocked only by force', async () => {
    const { id } = await lock('a.bin')
    const refused = await post(`/${id}/unlock`, {}, 'bob')
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      message: 'a.bin is locked by alice: unlock it with --force',
    })
    expect((await post(`/${id}/unlock`, { force: true }, 'bob')).status).toBe(200)
    expect((await post(`/${id}/unlock`, { force: true }, 'bob')).status).toBe(404)
  })

  test('locks come in pages', async () => {
    const all: LfsLockItem[] = []
    for (const path of ['a', 'b', 'c']) all.push(await lock(path))
    const first = await list('?limit=2')
    expect(first.locks).toEqual(all.slice(0, 2))
    const rest = await list(`?limit=2&cursor=${first.next_cursor}`)
    expect(rest).toEqual({ locks: all.slice(2) })
    const unknown = await world.as().get(`${locks}?cursor=x`)
    expect(unknown.status).toBe(400)
  })

  test('the locks of a deleted repo are gone', async () => {
    await lock('a.bin')
    deleteRepo(world.deps, { repo, actorId: world.users.alice.id })
    expect(world.state.lfsLocks.size).toBe(0)
  })

  test.each<[string, object | null, User | undefined, number]>([
    ['nobody', { path: 'a' }, undefined, 401],
    ['a user without the right', { path: 'a' }, 'carol', 403],
    ['no path', {}, 'alice', 400],
    ['an empty path', { path: '' }, 'alice', 400],
    ['a path that no file can have', { path: '../a' }, 'alice', 422],
    ['a list', [], 'alice', 400],
    ['null', null, 'alice', 400],
  ])('%s is refused', async (_, body, name, status) => {
    const refused = await post('', body, name)
    expect([refused.status, refused.headers['content-type']]).toEqual([status, type])
    expect(world.state.lfsLocks.size).toBe(0)
  })
})
