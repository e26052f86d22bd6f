import { beforeEach, describe, expect, test } from 'vitest'
import type { DiscussionResponse } from '../../server/contract/hub-discussions.ts'
import { changeStatus } from '../../server/hub/discussions/discussions.ts'
import { formatLfsPointer, noteLfsFile } from '../../server/hub/files/lfs-objects.ts'
import type { Discussion, Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { createCast } from '../helpers/cast.ts'
import { contentOf } from '../helpers/large-files.ts'

const world = testApp()
const as = createCast(world, '/api/models/alice/tiny/discussions')
const alice = as('alice')
let pull: Discussion
let repo: Repo
const shared = contentOf(Buffer.from('shared'))
const own = contentOf(Buffer.from('own'))

beforeEach(() => {
  repo = world.makeRepo('alice/tiny')
  for (const file of [shared, own]) noteLfsFile(world.deps, repo, file)
  world.commit(repo, { 'shared.bin': formatLfsPointer(shared) })
  pull = world.propose(repo, {
    'own.bin': formatLfsPointer(own),
    'again.bin': formatLfsPointer(shared),
  })
  world.events.length = 0
})

const close = () => {
  pull = changeStatus(world.deps, {
    discussion: world.state.discussions.get(pull.id) ?? pull,
    actorId: world.users.alice.id,
    status: 'closed',
  })
  world.events.length = 0
}
const large = () => [...world.state.lfsFiles.values()].map(({ oid }) => oid)
const details = async () => (await alice.get<DiscussionResponse>('/1?diff=1')).body

describe('the storage of a pull request', () => {
  test('is what no other ref has', async () => {
    expect((await alice.get('/1/storage')).body).toEqual({
      estimatedStorage: own.size,
      refDeleted: false,
    })
  })

  test('is nothing once the ref is deleted', async () => {
    close()
    await alice.delete('/1/ref')
    expect((await alice.get('/1/storage')).body).toEqual({
      estimatedStorage: 0,
      refDeleted: true,
    })
  })

  test('is refused for a plain discussion', async () => {
    await alice.post('', { title: 'A question', description: '' })
    expect((await alice.get('/2/storage')).status).toBe(400)
    expect((await alice.get('/3/storage')).status).toBe(404)
  })
})

describe('the ref of a pull request', () => {
  test('is deleted with its own large files; the page stays', async () => {
    close()
    const before = await details()
    expect((await alice.delete('/1/ref')).status).toBe(200)
    expect(Object.keys(world.latest(repo).refs)).toEqual(['refs/heads/main'])
    expect(large()).toEqual([shared.oid])
    expect(await details()).toEqual({
      ...before,
      filesWithConflicts: [],
      changes: { ...before.changes, refDeleted: true },
    })
    expect(before.diff).toContain('own.bin')
    const updatedRefs = [{ ref: 'refs/pr/1', newSha: null }]
    expect(world.hubEvents()).toMatchObject([
      { scope: 'repo.content', action: 'update', updatedRefs },
    ])
  })

  test('of a merged one is deleted without its files, which are on main', async () => {
    await alice.post('/1/merge')
    expect((await alice.delete('/1/ref')).status).toBe(200)
    expect(large().toSorted()).toEqual([shared.oid, own.oid].toSorted())
    expect((await details()).diff).toContain('own.bin')
  })

  test('stays while the pull request is open, or for a caller without the right', async () => {
    expect((await alice.delete('/1/ref')).status).toBe(400)
    close()
    expect((await as('bob').delete('/1/ref')).status).toBe(403)
    expect((await as().delete('/1/ref')).status).toBe(401)
    expect(world.head(repo, 'refs/pr/1')).not.toBe('')
    expect([large().length, world.hubEvents()]).toEqual([2, []])
  })

  test('is deleted once, and the pull request cannot be reopened', async () => {
    close()
    await alice.delete('/1/ref')
    expect((await alice.delete('/1/ref')).status).toBe(404)
    expect((await alice.post('/1/status', { status: 'open' })).status).toBe(409)
    expect((await alice.delete('/1')).status).toBe(200)
  })
})
