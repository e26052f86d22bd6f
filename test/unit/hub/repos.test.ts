import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RefusalCode } from '../../../server/core/refusal.ts'
import { loadingDeps } from '../../../server/hub/hub-deps.ts'
import { findPath, listFiles } from '../../../server/hub/files/trees.ts'
import { readBlob, readCommit } from '../../../server/hub/files/git-objects.ts'
import { openDiscussion } from '../../../server/hub/discussions/discussions.ts'
import {
  createRepo,
  deleteRepo,
  duplicateRepo,
  moveRepo,
  updateRepo,
  updateRepoSettings,
} from '../../../server/hub/repos/repos.ts'
import { findRepo, findReposOfAnyType } from '../../../server/hub/access/find-repo.ts'
import { mainRef } from '../../../server/hub/files/revisions.ts'
import { createHubWorld, type HubWorld, start } from './hub-world.ts'

let world: HubWorld

beforeEach(async () => {
  world = await createHubWorld()
})

const refusal = (code: RefusalCode) => expect.objectContaining({ code })

describe('creating a repo', () => {
  test('a new repo begins with a commit of its creator and emits an event', () => {
    const { acme } = world.organizations
    const repo = createRepo(world.deps, {
      type: 'dataset',
      name: 'ACME/corpus',
      actorId: world.users.bob.id,
      license: 'mit',
    })
    expect(repo).toMatchObject({ name: 'acme/corpus', ownerId: acme.id, visibility: 'public' })
    const objects = world.objects(repo)
    const commit = readCommit(objects, repo.refs[mainRef]!)
    expect(commit).toMatchObject({ title: 'initial commit', authorName: 'bob', parentIds: [] })
    expect([...listFiles(objects, commit.treeId).keys()]).toEqual(['.gitattributes', 'README.md'])
    const readme = findPath(objects, commit.treeId, 'README.md')!
    expect(readBlob(objects, readme.oid).toString()).toBe('---\nlicense: mit\n---\n')
    expect(world.events).toMatchObject([
      {
        scope: 'repo',
        action: 'create',
        actorId: world.users.bob.id,
        cause: 'api',
        at: start,
        repo: { id: repo.id, name: 'acme/corpus', private: false, headSha: commit.id },
      },
    ])
  })

  test('a README is created with a licence only, and a host for Spaces only', () => {
    const model = createRepo(world.deps, { type: 'model', name: 'bob/tiny' })
    const objects = world.objects(model)
    const files = listFiles(objects, readCommit(objects, model.refs[mainRef]!).treeId)
    expect([...files.keys()]).toEqual(['.gitattributes'])
    createRepo(world.deps, { type: 'space', name: 'bob/My_Demo.1', sdk: 'gradio' })
    expect(world.events.map(({ repo }) => repo.subdomain)).toEqual([undefined, 'bob-my-demo-1'])
  })

  test.each([
    ['no namespace', 'tiny'],
    ['too many parts', 'a/b/c'],
    ['a forbidden letter', 'alice/tiny model'],
    ['two hyphens', 'alice/a--b'],
    ['a dot at the end', 'alice/a.'],
    ['a forbidden ending', 'alice/a.git'],
    ['too long', `alice/${'a'.repeat(97)}`],
  ])('a name with %s is refused', (_, name) => {
    const objectsOf = vi.spyOn(world.deps.objects, 'of')
    expect(() => createRepo(world.deps, { type: 'model', name })).toThrow(refusal('invalid'))
    expect(objectsOf).not.toHaveBeenCalled()
  })

  test('invalid options are refused, and a taken name with its URL', () => {
    world.repo('alice/tiny')
    const create = (more: object) => () =>
      createRepo(world.deps, { type: 'model', name: 'alice/other', ...more })
    expect(create({ type: 'space' })).toThrow('A Space needs an sdk')
    expect(create({ visibility: 'protected' })).toThrow('Only Spaces can be protected')
    expect(create({ name: 'nobody/x' })).toThrow(refusal('not_found'))
    expect(create({ name: 'alice/TINY' })).toThrow(
      expect.objectContaining({
        code: 'conflict',
        facts: { url: 'http://localhost:7420/alice/tiny' },
      }),
    )
    expect(world.events).toEqual([])
  })

  test('a repo of the fixtures is loaded without events, with its date and fixed ids', async () => {
    const load = (target: HubWorld) =>
      createRepo(loadingDeps(target.deps, { at: start - 1000, name: 'model:alice/tiny' }), {
        type: 'model',
        name: 'alice/tiny',
      })
    const repo = load(world)
    expect(world.events).toEqual([])
    expect(repo.createdAt).toBe(start - 1000)
    expect(load(await createHubWorld())).toEqual(repo)
  })
})

describe('finding a repo', () => {
  test('a repo is found by type and by name without case', () => {
    const model = world.repo('alice/tiny')
    const dataset = world.repo('alice/tiny', { type: 'dataset' })
    expect(findRepo(world.deps, 'model', 'Alice/Tiny')).toEqual({ repo: model, moved: false })
    expect(findRepo(world.deps, 'space', 'alice/tiny')).toBeUndefined()
    expect(findReposOfAnyType(world.deps, 'alice/tiny')).toEqual([model, dataset])
  })
})

describe('moving a repo', () => {
  test('every old name redirects to the new one, and the event has the old name', () => {
    const { bob, alice } = world.users
    const repo = world.repo('alice/tiny')
    const renamed = moveRepo(world.deps, { repo, toName: 'alice/small', actorId: alice.id })
    const moved = moveRepo(world.deps, { repo: renamed, toName: 'bob/small', actorId: alice.id })
    expect(moved).toMatchObject({ id: repo.id, name: 'bob/small', ownerId: bob.id })
    for (const name of ['alice/tiny', 'Alice/Small']) {
      expect(findRepo(world.deps, 'model', name)).toEqual({ repo: moved, moved: true })
    }
    expect(world.events[1]).toMatchObject({
      scope: 'repo',
      action: 'move',
      repo: { name: 'alice/small', ownerId: alice.id },
      movedTo: { name: 'bob/small', ownerId: bob.id },
    })
  })

  test('the old name becomes free', () => {
    const repo = world.repo('alice/tiny')
    const moved = moveRepo(world.deps, { repo, toName: 'alice/small' })
    const next = world.repo('alice/tiny')
    expect(findRepo(world.deps, 'model', 'alice/tiny')).toEqual({ repo: next, moved: false })
    deleteRepo(world.deps, { repo: next })
    expect(findRepo(world.deps, 'model', 'alice/tiny')).toBeUndefined()
    expect(world.now(moved).name).toBe('alice/small')
  })

  test('a repo can move back or change the case of its name', () => {
    const repo = world.repo('alice/tiny')
    const there = moveRepo(world.deps, { repo, toName: 'alice/small' })
    const back = moveRepo(world.deps, { repo: there, toName: 'alice/Tiny' })
    expect(findRepo(world.deps, 'model', 'alice/tiny')).toEqual({ repo: back, moved: false })
    const upper = moveRepo(world.deps, { repo: back, toName: 'alice/TINY' })
    expect(findRepo(world.deps, 'model', 'alice/tiny')).toEqual({ repo: upper, moved: false })
    expect(world.state.repoRedirects.has('model/alice/tiny')).toBe(false)
    world.events.length = 0
    expect(moveRepo(world.deps, { repo: upper, toName: 'ALICE/TINY' })).toBe(upper)
    expect(world.events).toEqual([])
  })

  test('a taken name is refused with the message that clients look for', () => {
    const repo = world.repo('alice/tiny')
    world.repo('alice/small')
    expect(() => moveRepo(world.deps, { repo, toName: 'alice/small' })).toThrow(
      'A model repository called alice/small already exists',
    )
  })

  test('a repo leaves its resource group with the organization and stays in collections', () => {
    const repo = world.repo('acme/tiny', { put: { resourceGroupId: 'a'.repeat(24) } })
    const item = { id: 'b'.repeat(24), type: 'model' as const, target: 'acme/tiny' }
    const collection = world.state.hubCollections.put({
      id: 'c'.repeat(24),
      ownerId: world.users.alice.id,
      title: 'Things',
      private: false,
      theme: 'blue',
      items: [item, { ...item, type: 'dataset' }],
      createdAt: start,
      updatedAt: start,
    })
    const renamed = moveRepo(world.deps, { repo, toName: 'acme/small' })
    expect(renamed.resourceGroupId).toBe('a'.repeat(24))
    const moved = moveRepo(world.deps, { repo: renamed, toName: 'alice/small' })
    expect(moved).not.toHaveProperty('resourceGroupId')
    const targets = () =>
      world.state.hubCollections.get(collection.id)?.items.map(({ target }) => target)
    expect(targets()).toEqual(['alice/small', 'acme/tiny'])
    deleteRepo(world.deps, { repo: moved })
    expect(targets()).toEqual(['acme/tiny'])
  })
})

describe('deleting a repo', () => {
  test('deleting a repo deletes its discussions and redirects, and the event describes it', () => {
    const repo = world.repo('alice/tiny', { visibility: 'private' })
    openDiscussion(world.deps, { repo, title: 'Question', actorId: world.users.alice.id })
    const moved = moveRepo(world.deps, { repo: world.now(repo), toName: 'alice/small' })
    deleteRepo(world.deps, { repo: moved, actorId: world.users.alice.id })
    const { repos, repoRedirects, discussions, discussionEvents } = world.state
    expect([repos, repoRedirects, discussions, discussionEvents].map(({ size }) => size)).toEqual([
      0, 0, 0, 0,
    ])
    expect(world.events.at(-1)).toMatchObject({
      scope: 'repo',
      action: 'delete',
      repo: { name: 'alice/small', private: true },
    })
  })

  test('deleting a repo releases its objects only', () => {
    const [gone, other] = [world.repo('alice/gone'), world.repo('alice/other')]
    const release = vi.spyOn(world.deps.objects, 'release')
    deleteRepo(world.deps, { repo: gone })
    expect(release.mock.calls.map(([{ id }]) => id)).toEqual([gone.id])
    expect(world.deps.objects.of(other).has(other.refs[mainRef] ?? '')).toBe(true)
  })
})

describe('changing a repo', () => {
  test.each([
    [{ visibility: 'private' as const }, { private: true }],
    [{ gated: 'manual' as const }, {}],
    [{ visibility: 'private' as const, gated: 'auto' as const }, { private: true }],
    [{ variables: { A: '1' } }, {}],
  ])('the change %o emits one event', (settings, updatedConfig) => {
    const repo = world.repo('alice/demo', { type: 'space', sdk: 'static' })
    const updated = updateRepoSettings(world.deps, { repo, settings })
    expect(updated).toMatchObject(settings)
    expect(world.events).toMatchObject([{ scope: 'repo.config', action: 'update' }])
    expect(world.events[0]?.updatedConfig).toEqual(updatedConfig)
  })

  test('the same value emits no event, and the same privacy no change of config', () => {
    const repo = world.repo('alice/demo', { type: 'space', sdk: 'static', visibility: 'private' })
    expect(updateRepoSettings(world.deps, { repo, settings: { visibility: 'private' } })).toBe(repo)
    expect(world.events).toEqual([])
    updateRepoSettings(world.deps, { repo, settings: { visibility: 'protected' } })
    expect(world.events[0]?.updatedConfig).toEqual({})
  })

  test('description and resource group emit an event of the repo', () => {
    const repo = world.repo('acme/tiny', { put: { resourceGroupId: 'a'.repeat(24) } })
    const updated = updateRepo(world.deps, { repo, description: 'Small', resourceGroupId: null })
    expect(updated).toMatchObject({ description: 'Small' })
    expect(updated).not.toHaveProperty('resourceGroupId')
    expect(world.events).toMatchObject([{ scope: 'repo', action: 'update' }])
  })

  test('a duplicate has the main branch and the settings', () => {
    const repo = world.repo('acme/demo', { type: 'space', sdk: 'docker', visibility: 'private' })
    const copy = duplicateRepo(world.deps, {
      repo,
      toName: 'bob/copy',
      actorId: world.users.bob.id,
    })
    expect(copy).toMatchObject({ sdk: 'docker', visibility: 'private', refs: repo.refs })
    expect(world.events).toMatchObject([{ action: 'create', repo: { name: 'bob/copy' } }])
  })
})
