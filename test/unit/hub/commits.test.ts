import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { HubErrorName, RefusalCode } from '../../../server/core/refusal.ts'
import {
  commitFiles,
  type CommitInput,
  draftCommit,
  type FileOperation,
} from '../../../server/hub/commits/commits.ts'
import { readCommit, writeBlob, writeCommit } from '../../../server/hub/files/git-objects.ts'
import { findMergeBase, listCommits } from '../../../server/hub/files/history.ts'
import {
  createBranch,
  createTag,
  deleteBranch,
  deleteTag,
  listRefs,
  moveRefs,
  squashRef,
} from '../../../server/hub/commits/repo-refs.ts'
import { mainRef, resolveRevision } from '../../../server/hub/files/revisions.ts'
import { diffTrees, findPath, listFiles, listTree } from '../../../server/hub/files/trees.ts'
import { encodeTag } from '../../../server/store/objects/commit-codec.ts'
import { reachable } from '../../../server/store/objects/reachable.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld } from './hub-world.ts'

let world: HubWorld
let repo: Repo
const add = (path: string, content = path): FileOperation => ({ kind: 'add', path, content })
const remove = (path: string): FileOperation => ({ kind: 'delete', path })

beforeEach(async () => {
  world = await createHubWorld()
  repo = world.repo('acme/corpus', { files: [add('a.txt'), add('b/c.txt'), add('b/d/e.txt')] })
})

function push(operations: FileOperation[], more: Partial<CommitInput> = {}) {
  return commitFiles(world.deps, {
    repo: world.now(repo),
    revision: 'main',
    operations,
    title: 'Push',
    ...more,
  })
}

const paths = (treeId: string) => [...listFiles(world.objects(repo), treeId).keys()]
const refusal = (code: RefusalCode, hubError?: HubErrorName) =>
  expect.objectContaining({ code, hubError })

describe('committing', () => {
  test('a commit moves the branch and emits an event', () => {
    const { commit } = push([add('new/x.txt'), remove('a.txt')], {
      actorId: world.users.bob.id,
      description: 'Why',
    })
    expect(commit).toMatchObject({ authorName: 'bob', message: 'Why' })
    expect(paths(commit.treeId)).toEqual(['.gitattributes', 'b/c.txt', 'b/d/e.txt', 'new/x.txt'])
    expect(world.events).toMatchObject([
      {
        scope: 'repo.content',
        action: 'update',
        repo: { headSha: commit.id },
        updatedRefs: [{ ref: mainRef, oldSha: repo.refs[mainRef], newSha: commit.id }],
      },
    ])
  })

  test('a commit writes only the folders it changes', () => {
    const written = vi.spyOn(world.objects(repo), 'writeTree')
    push([add('b/c.txt', 'other')])
    expect(written).toHaveBeenCalledTimes(2)
  })

  test('empty folders are removed', () => {
    const { commit } = push([{ kind: 'deleteFolder', path: 'b/' }])
    expect(paths(commit.treeId)).toEqual(['.gitattributes', 'a.txt'])
    expect(findPath(world.objects(repo), commit.treeId, 'b')).toBeUndefined()
  })

  test('a file may become a folder, and a folder a file', () => {
    const { commit } = push([
      remove('a.txt'),
      add('a.txt/inner'),
      { kind: 'deleteFolder', path: 'b' },
      add('b'),
    ])
    expect(paths(commit.treeId)).toEqual(['.gitattributes', 'a.txt/inner', 'b'])
  })

  test('a commit moves a file', () => {
    const { commit } = push([{ kind: 'add', path: 'z.txt', content: 'z', oldPath: 'a.txt' }])
    expect(paths(commit.treeId)).toEqual(['.gitattributes', 'b/c.txt', 'b/d/e.txt', 'z.txt'])
  })

  test.each<[string, FileOperation[], 'invalid' | 'unprocessable']>([
    ['a folder over a file', [add('a.txt/x')], 'invalid'],
    ['a file over a folder', [add('b')], 'invalid'],
    ['a path upwards', [add('b/../../x')], 'unprocessable'],
    ['an absolute path', [add('/x')], 'unprocessable'],
    ['the empty path', [add('')], 'unprocessable'],
    ['what belongs to git', [add('b/.Git/config')], 'unprocessable'],
  ])('refuses %s', (_, operations, code) => {
    expect(() => push(operations)).toThrow(refusal(code))
    expect(world.now(repo)).toEqual(repo)
  })

  test.each<[FileOperation[]]>([[[remove('none')]], [[{ kind: 'deleteFolder', path: 'a.txt' }]]])(
    'does not find %j',
    (operations) => {
      expect(() => push(operations)).toThrow(refusal('not_found', 'EntryNotFound'))
    },
  )

  test('a missing file has the message that clients look for', () => {
    expect(() => push([remove('none')])).toThrow("A file with this name doesn't exist")
  })

  test('a parentCommit other than the head is refused', () => {
    const head = repo.refs[mainRef]!
    const { commit } = push([add('x')], { parentCommit: head.slice(0, 7) })
    expect(() => push([add('y')], { parentCommit: head })).toThrow(refusal('outdated'))
    expect(world.now(repo).refs[mainRef]).toBe(commit.id)
  })

  test.each([0, 1, 6])('refuses a parentCommit of %i digits', (length) => {
    const parentCommit = repo.refs[mainRef]!.slice(0, length)
    expect(() => push([add('y')], { parentCommit })).toThrow(refusal('outdated'))
    expect(world.now(repo)).toEqual(repo)
  })

  test('only branches take commits', () => {
    createTag(world.deps, { repo, name: 'v1' })
    for (const revision of ['none', 'v1', repo.refs[mainRef]!]) {
      expect(() => push([add('x')], { revision })).toThrow(refusal('not_found', 'RevisionNotFound'))
    }
  })

  test('an empty summary is refused', () => {
    expect(() => push([add('x')], { title: ' ' })).toThrow(refusal('invalid'))
  })
})

describe('a draft', () => {
  const operations = [add('a.txt', 'other'), add('b/x/y', 'new'), remove('b/c.txt')]

  test('a draft becomes the commit', () => {
    const input = { repo, revision: 'main', operations, title: 'Push' }
    const draft = draftCommit(world.deps, input)
    expect(world.now(repo)).toBe(repo)
    expect(commitFiles(world.deps, { ...input, draft }).commit).toBe(draft)
    expect(draft).toEqual(
      readCommit(world.objects(repo), world.now(repo).refs['refs/heads/main'] ?? ''),
    )
  })

  test('a draft is dropped when the branch has moved', () => {
    const input = { repo, revision: 'main', operations, title: 'Push' }
    const draft = draftCommit(world.deps, input)
    const { commit: between } = push([add('z', 'z')])
    const { commit } = commitFiles(world.deps, { ...input, repo: world.now(repo), draft })
    expect([commit.id === draft.id, commit.parentIds]).toEqual([false, [between.id]])
    expect(paths(commit.treeId)).toContain('z')
  })
})

describe('a folder', () => {
  test('a folder has at most as many entries as a push may bring', () => {
    const oid = writeBlob(world.objects(repo), Buffer.from('x')).id
    const name = (index: number) => `${'n'.repeat(245)}${index}`.slice(-245)
    // Each takes 245 bytes, and 28 for mode, id and what stands between.
    const fitting = Math.floor((4 * 1024 * 1024) / 273)
    const files = (count: number): FileOperation[] =>
      Array.from({ length: count }, (_, index) => ({
        kind: 'add',
        path: `b/${name(index)}`,
        oid,
        size: 1,
      }))
    const { commit } = push(files(fitting - 1))
    expect(paths(commit.treeId).length).toBe(fitting + 3)
    expect(() => push(files(fitting + 1))).toThrow('The folder b would have too many files')
    expect(() => push(files(fitting + 1))).toThrow(refusal('unprocessable'))
  })
})

describe('folders of a commit', () => {
  test('a short commit of very many folders is refused', () => {
    const deep = Array.from({ length: 25 }, (_, n) => add(`${'a/'.repeat(1900)}${n}`))
    const spread = Array.from({ length: 25 }, (_, n) => add(`${n}/${'a/'.repeat(1900)}x`))
    const most = 100 + Math.floor((25 * 3803 + 15 + 25 * 60) / 10)
    const before = world.now(repo).refs
    expect(() => push(spread)).toThrow(`more than ${most} folders`)
    expect(world.now(repo).refs).toEqual(before)
    // They share their folders.
    expect(() => push(deep)).not.toThrow()
  })

  test('25,000 files, each in folders of its own, are taken', () => {
    const files = Array.from({ length: 25_000 }, (_, n) => add(`data/train/class-${n}/images/${n}`))
    expect(() => push(files)).not.toThrow()
  })
})

describe('revisions', () => {
  test('a revision is a branch, tag, ref, HEAD or a full or short commit id', () => {
    const head = repo.refs[mainRef]!
    const tagged = createTag(world.deps, { repo, name: 'rel/1' })
    const branched = createBranch(world.deps, { repo: tagged, name: 'feature/x' })
    const found = (revision: string) => resolveRevision(world.objects(repo), branched, revision)
    expect(found('main')).toMatchObject({ ref: mainRef, commit: { id: head } })
    expect(found('HEAD').ref).toBe(mainRef)
    expect(found('rel/1').ref).toBe('refs/tags/rel/1')
    expect(found('feature/x').ref).toBe('refs/heads/feature/x')
    expect(found('refs/heads/main').ref).toBe(mainRef)
    // What an address encodes was decoded before.
    for (const encoded of ['feature%2Fx', 'refs%2Fheads%2Fmain']) {
      expect(() => found(encoded)).toThrow(refusal('not_found', 'RevisionNotFound'))
    }
    for (const id of [head, head.toUpperCase(), head.slice(0, 7)]) {
      expect(found(id)).toEqual({ commit: readCommit(world.objects(repo), head) })
    }
    for (const name of ['none', head.slice(0, 6), '%zz', '%E0%A4', 'f'.repeat(40)]) {
      expect(() => found(name)).toThrow(refusal('not_found', 'RevisionNotFound'))
    }
  })

  test('a full commit id takes precedence over a name', () => {
    const pinned = repo.refs[mainRef]!
    push([add('later')])
    const now = createBranch(world.deps, { repo: world.now(repo), name: pinned })
    const named = createBranch(world.deps, { repo: now, name: 'f'.repeat(40) })
    const found = (revision: string) => resolveRevision(world.objects(repo), named, revision)
    expect(found(pinned)).toEqual({ commit: readCommit(world.objects(repo), pinned) })
    expect(found(`refs/heads/${pinned}`).commit.id).toBe(named.refs[mainRef])
    expect(found('f'.repeat(40)).ref).toBe(`refs/heads/${'f'.repeat(40)}`)
  })

  test('a commit of another repo is not a revision', () => {
    const other = world.repo('acme/secret', { visibility: 'private', files: [add('secret')] })
    expect(() => resolveRevision(world.objects(repo), repo, other.refs[mainRef]!)).toThrow(
      refusal('not_found', 'RevisionNotFound'),
    )
  })

  test('an older commit is a revision, an unreachable one is not', () => {
    const { commit } = push([add('x')])
    expect(
      resolveRevision(world.objects(repo), world.now(repo), repo.refs[mainRef]!).commit.title,
    ).toBe('initial commit')
    squashRef(world.deps, { repo: world.now(repo), ref: mainRef, message: 'All' })
    expect(() => resolveRevision(world.objects(repo), world.now(repo), commit.id)).toThrow(
      refusal('not_found', 'RevisionNotFound'),
    )
    expect([...listCommits(world.objects(repo), world.now(repo).refs[mainRef]!)]).toMatchObject([
      { title: 'All', treeId: commit.treeId },
    ])
  })
})

describe('branches and tags', () => {
  test('a tag object, also of a tag, resolves to the commit', () => {
    const head = repo.refs[mainRef]!
    const objects = world.objects(repo)
    const tag = (objectType: string, objectId: string) =>
      objects.write(
        'tag',
        encodeTag({ objectId, objectType, name: 'v1', headers: [], message: 'One\n' }),
      )
    const inner = tag('commit', head)
    const outer = tag('tag', inner)
    const now = moveRefs(world.deps, repo, { 'refs/tags/v1': outer, 'refs/heads/dev': head }).repo
    expect(now.refs['refs/tags/v1']).toBe(outer)
    expect(resolveRevision(objects, now, 'v1')).toMatchObject({
      ref: 'refs/tags/v1',
      commit: { id: head },
    })
    expect(listRefs(objects, now).tags).toEqual([
      { name: 'v1', ref: 'refs/tags/v1', targetCommit: head },
    ])
    // Whatever is looked for in all of a repo begins at its refs.
    expect(resolveRevision(objects, now, head.slice(0, 7)).commit.id).toBe(head)
    const ids = [...reachable(objects, Object.values(now.refs))]
    expect(ids.indexOf(inner)).toBeLessThan(ids.indexOf(outer))
    expect(ids).toContain(head)
    expect(createTag(world.deps, { repo: now, name: 'v2', revision: 'v1' }).refs).toMatchObject({
      'refs/tags/v2': head,
    })
  })

  test('creating and deleting a branch or tag emits an event', () => {
    const head = repo.refs[mainRef]!
    let now = createBranch(world.deps, { repo, name: 'dev', actorId: world.users.bob.id })
    now = createTag(world.deps, { repo: now, name: 'v1', revision: 'dev' })
    expect(listRefs(world.objects(now), now)).toEqual({
      branches: [
        { name: 'main', ref: mainRef, targetCommit: head },
        { name: 'dev', ref: 'refs/heads/dev', targetCommit: head },
      ],
      tags: [{ name: 'v1', ref: 'refs/tags/v1', targetCommit: head }],
      pullRequests: [],
      converts: [],
    })
    now = deleteBranch(world.deps, { repo: now, name: 'dev' })
    now = deleteTag(world.deps, { repo: now, name: 'v1' })
    expect(now.refs).toEqual(repo.refs)
    expect(world.events.map(({ updatedRefs }) => updatedRefs?.[0])).toEqual([
      { ref: 'refs/heads/dev', oldSha: null, newSha: head },
      { ref: 'refs/tags/v1', oldSha: null, newSha: head },
      { ref: 'refs/heads/dev', oldSha: head, newSha: null },
      { ref: 'refs/tags/v1', oldSha: head, newSha: null },
    ])
  })

  test('a branch starts at the given revision, empty, or again', () => {
    const { repo: pushed } = push([add('x')])
    const old = repo.refs[mainRef]!
    const dev = createBranch(world.deps, { repo: pushed, name: 'dev', startingPoint: old })
    expect(dev.refs['refs/heads/dev']).toBe(old)
    const moved = createBranch(world.deps, {
      repo: dev,
      name: 'dev',
      overwrite: true,
      startingPoint: mainRef,
    })
    expect(moved.refs['refs/heads/dev']).toBe(pushed.refs[mainRef])
    const empty = createBranch(world.deps, { repo: moved, name: 'new', emptyBranch: true })
    const { commit } = resolveRevision(world.objects(repo), empty, 'new')
    expect([commit.parentIds, paths(commit.treeId)]).toEqual([[], []])
  })

  test('refusals have the messages that clients look for', () => {
    expect(() => createBranch(world.deps, { repo, name: 'main' })).toThrow(
      'Reference refs/heads/main already exists',
    )
    expect(() => createBranch(world.deps, { repo, name: 'refs/pr/1' })).toThrow(
      'Invalid reference for a branch',
    )
    expect(() => deleteBranch(world.deps, { repo, name: 'main' })).toThrow(
      'Cannot delete refs/heads/main',
    )
    expect(() => deleteBranch(world.deps, { repo, name: 'none' })).toThrow('Invalid rev id')
    expect(() => deleteTag(world.deps, { repo, name: 'none' })).toThrow(
      refusal('not_found', 'RevisionNotFound'),
    )
    expect(() => createBranch(world.deps, { repo, name: 'main/x' })).toThrow(
      'it conflicts with refs/heads/main',
    )
    const deep = createTag(world.deps, { repo, name: 'a/b' })
    expect(() => createTag(world.deps, { repo: deep, name: 'a' })).toThrow(refusal('invalid'))
    const tagged = createTag(world.deps, { repo, name: 'v1' })
    expect(() => createTag(world.deps, { repo: tagged, name: 'v1' })).toThrow(refusal('conflict'))
  })

  test.each([
    '',
    ' ',
    'a b',
    'a..b',
    'a~1',
    'a.lock',
    'a/',
    '/a',
    '.a',
    'a//b',
    'a/.b',
    '@',
    'HEAD',
  ])('the name %j is refused', (name) => {
    expect(() => createBranch(world.deps, { repo, name })).toThrow(refusal('invalid'))
    expect(() => createTag(world.deps, { repo, name })).toThrow(refusal('invalid'))
  })
})

describe('trees and history', () => {
  test('lists a folder, or everything below it', () => {
    const { treeId } = readCommit(world.objects(repo), repo.refs[mainRef]!)
    const list = (path: string, recursive: boolean) =>
      [
        ...listTree(world.objects(repo), findPath(world.objects(repo), treeId, path)!, recursive),
      ].map((entry) => entry.path)
    expect(list('b', false)).toEqual(['b/c.txt', 'b/d'])
    expect(list('', true)).toEqual(['.gitattributes', 'a.txt', 'b', 'b/c.txt', 'b/d', 'b/d/e.txt'])
    expect(findPath(world.objects(repo), treeId, 'a.txt/x')).toBeUndefined()
  })

  test('added, changed and removed files are distinguished', () => {
    const { commit } = push([add('b/d/f.txt'), add('a.txt', 'other'), remove('b/c.txt')])
    const before = readCommit(world.objects(repo), repo.refs[mainRef]!)
    expect(diffTrees(world.objects(repo), before.treeId, commit.treeId)).toEqual({
      added: ['b/d/f.txt'],
      modified: ['a.txt'],
      deleted: ['b/c.txt'],
    })
    expect(diffTrees(world.objects(repo), undefined, before.treeId).added).toHaveLength(4)
  })

  test('commits are listed newest first, and the merge base is found', () => {
    createBranch(world.deps, { repo, name: 'dev' })
    world.clock.advance(60_000)
    const { commit: onDev } = push([add('dev')], { revision: 'dev', title: 'dev' })
    // A clock set back must not put a commit before its parent.
    world.clock.advance(-120_000)
    const { commit: onMain } = push([add('main')], { title: 'main' })
    expect([...listCommits(world.objects(repo), onDev.id)].map(({ title }) => title)).toEqual([
      'dev',
      'initial commit',
    ])
    expect([...listCommits(world.objects(repo), onMain.id)].map(({ title }) => title)).toEqual([
      'main',
      'initial commit',
    ])
    const base = (a: string, b: string) => findMergeBase(world.objects(repo), a, b)?.id
    expect(base(onDev.id, onMain.id)).toBe(repo.refs[mainRef])
    expect(base(onMain.id, repo.refs[mainRef]!)).toBe(repo.refs[mainRef])
    expect(base(repo.refs[mainRef]!, onMain.id)).toBe(repo.refs[mainRef])
    expect(base(onDev.id, onDev.id)).toBe(onDev.id)
    const unrelated = createBranch(world.deps, {
      repo: world.now(repo),
      name: 'none',
      emptyBranch: true,
    })
    expect(
      findMergeBase(world.objects(repo), onDev.id, unrelated.refs['refs/heads/none']!),
    ).toBeUndefined()
  })
  test('a common parent is listed once, after both children', () => {
    createBranch(world.deps, { repo, name: 'dev' })
    const { commit: onDev } = push([add('dev')], { revision: 'dev', title: 'dev' })
    // The other branch is older, and so is everything behind it.
    world.clock.advance(-60_000)
    const { commit: onMain } = push([add('main')], { title: 'main' })
    world.clock.advance(120_000)
    const merge = writeCommit(world.objects(repo), {
      ...onMain,
      title: 'merge',
      parentIds: [onMain.id, onDev.id],
      date: world.clock.now(),
    })
    expect([...listCommits(world.objects(repo), merge.id)].map(({ title }) => title)).toEqual([
      'merge',
      'dev',
      'main',
      'initial commit',
    ])
  })
})
