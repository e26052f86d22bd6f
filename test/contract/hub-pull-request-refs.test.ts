import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DiscussionResponse } from '../../server/contract/hub-discussions.ts'
import { commitFiles } from '../../server/hub/commits/commits.ts'
import { changeStatus } from '../../server/hub/discussions/discussions.ts'
import { commitAsPullRequest } from '../../server/hub/discussions/pull-requests.ts'
import { formatLfsPointer, noteLfsFile } from '../../server/hub/files/lfs-objects.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import type { Discussion, Repo } from '../../server/store/entities/hub-entities.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { bearerOf } from '../helpers/user-token.ts'

let world: TestApp
let alice: Record<string, string>
let bob: Record<string, string>
let pull: Discussion
const shared = { oid: createHash('sha256').update('shared').digest('hex'), size: 6 }
const own = { oid: createHash('sha256').update('own').digest('hex'), size: 3 }

beforeEach(async () => {
  world = await buildTestApp()
  alice = bearerOf(world, world.users.alice)
  bob = bearerOf(world, world.users.bob)
  const actorId = world.users.alice.id
  const made = createRepo(world.deps, { type: 'model', name: 'alice/tiny', actorId })
  for (const file of [shared, own]) noteLfsFile(world.deps, made, file)
  const { repo } = commitFiles(world.deps, {
    repo: made,
    revision: 'main',
    operations: [{ kind: 'add', path: 'shared.bin', content: formatLfsPointer(shared) }],
    title: 'Add a file',
  })
  pull = commitAsPullRequest(world.deps, {
    repo,
    revision: 'main',
    operations: [
      { kind: 'add', path: 'own.bin', content: formatLfsPointer(own) },
      { kind: 'add', path: 'again.bin', content: formatLfsPointer(shared) },
    ],
    title: 'Add mine',
    actorId,
  }).discussion
  world.events.length = 0
})

const base = '/api/models/alice/tiny/discussions'
const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, headers = alice, payload?: object) =>
  world.server.inject({ method, url: base + path, headers, ...(payload && { payload }) })
const close = () => {
  pull = changeStatus(world.deps, {
    discussion: world.state.discussions.get(pull.id) ?? pull,
    actorId: world.users.alice.id,
    status: 'closed',
  })
  world.events.length = 0
}
const repo = (): Repo => world.state.repos.find('name', 'model/alice/tiny')!
const large = () => [...world.state.lfsFiles.values()].map(({ oid }) => oid)
const details = async () => (await ask('GET', '/1?diff=1')).json<DiscussionResponse>()

describe('the storage of a pull request', () => {
  test('is what no other ref has', async () => {
    expect((await ask('GET', '/1/storage')).json()).toEqual({ files: 1, storage: own.size })
  })

  test('is nothing once the ref is deleted', async () => {
    close()
    await ask('DELETE', '/1/ref')
    expect((await ask('GET', '/1/storage')).json()).toEqual({ files: 0, storage: 0 })
  })

  test('is refused for a plain discussion', async () => {
    await ask('POST', '', alice, { title: 'A question', description: '' })
    expect((await ask('GET', '/2/storage')).statusCode).toBe(400)
    expect((await ask('GET', '/3/storage')).statusCode).toBe(404)
  })
})

describe('the ref of a pull request', () => {
  test('is deleted with its own large files; the page stays', async () => {
    close()
    const before = await details()
    expect((await ask('DELETE', '/1/ref')).statusCode).toBe(200)
    expect(Object.keys(repo().refs)).toEqual(['refs/heads/main'])
    expect(large()).toEqual([shared.oid])
    expect(await details()).toEqual({ ...before, filesWithConflicts: [] })
    expect(before.diff).toContain('own.bin')
    expect(world.events.filter(({ type }) => type === 'hub.event')).toMatchObject([
      {
        data: {
          scope: 'repo.content',
          action: 'update',
          updatedRefs: [{ ref: 'refs/pr/1', newSha: null }],
        },
      },
    ])
  })

  test('of a merged one is deleted without its files, which are on main', async () => {
    await ask('POST', '/1/merge')
    expect((await ask('DELETE', '/1/ref')).statusCode).toBe(200)
    expect(large().toSorted()).toEqual([shared.oid, own.oid].toSorted())
    expect((await details()).diff).toContain('own.bin')
  })

  test('stays while the pull request is open, or for a caller without the right', async () => {
    expect((await ask('DELETE', '/1/ref')).statusCode).toBe(400)
    close()
    expect((await ask('DELETE', '/1/ref', bob)).statusCode).toBe(403)
    expect((await ask('DELETE', '/1/ref', {})).statusCode).toBe(401)
    expect(repo().refs['refs/pr/1']).toBeDefined()
    expect([large().length, world.events.filter(({ type }) => type === 'hub.event')]).toEqual([
      2,
      [],
    ])
  })

  test('is deleted once, and the pull request cannot be reopened', async () => {
    close()
    await ask('DELETE', '/1/ref')
    expect((await ask('DELETE', '/1/ref')).statusCode).toBe(404)
    expect((await ask('POST', '/1/status', alice, { status: 'open' })).statusCode).toBe(409)
    expect((await ask('DELETE', '/1')).statusCode).toBe(200)
  })
})
