import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GitProgram } from '../../../../server/hub/git/git-program.ts'
import { type PruneRequest, pruneRepos } from '../../../../server/hub/git/prune.ts'
import { encodeTag } from '../../../../server/store/objects/commit-codec.ts'
import { createFolderObjects } from '../../../../server/store/objects/folder-objects.ts'
import type { ObjectStores } from '../../../../server/store/objects/object-store.ts'
import { treeEntry } from '../../../../server/store/objects/tree-codec.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const one = { id: '1'.repeat(24) }
const two = { id: '2'.repeat(24) }
const by = { name: 'A', email: 'a@x.example', seconds: 1, timeZone: '+0000' }
const longAgo = new Date(Date.now() - 15 * 24 * 3_600_000)

/** Writes a commit with a file in a folder. @returns the ids of all its objects, its own first */
function commitTo(objects: ObjectStores, content: string, parentIds: string[] = [], repo = one) {
  const store = objects.of(repo)
  const blob = store.write('blob', Buffer.from(content))
  const folder = store.writeTree([treeEntry('file', '100644', blob)])
  const treeId = store.writeTree([treeEntry('folder', '40000', folder)])
  const commit = { treeId, parentIds, author: by, committer: by, headers: [], message: 'x\n' }
  return [store.writeCommit(commit), treeId, folder, blob] as const
}

/** Repos written by an earlier run, all of them long ago. */
async function oldRepos<T>(write: (objects: ObjectStores) => T) {
  const folder = temporaryDirectory()
  const first = createFolderObjects(folder)
  const written = write(first)
  await first.close()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(folder, name), longAgo, longAgo)
  const objects = createFolderObjects(folder)
  const fileOf = (id: string, repo = one) =>
    join(folder, `${repo.id}.git`, 'objects', id.slice(0, 2), id.slice(2))
  return {
    folder,
    written,
    objects,
    fileOf,
    /** How many of these objects are there. */
    count: (ids: readonly string[], repo = one) =>
      ids.filter((id) => existsSync(fileOf(id, repo))).length,
    prune: (
      refs: Record<string, readonly string[]>,
      { before = refs, kept = [] }: { before?: typeof refs; kept?: readonly string[] } = {},
      program = new GitProgram(),
    ) => {
      const repos = (from: typeof refs) =>
        Object.entries(from).map(([id, targets]) => ({
          id,
          refs: Object.fromEntries(targets.map((target, at) => [`refs/heads/b${at}`, target])),
        }))
      const request: PruneRequest = {
        before: repos(before),
        find: (id) => repos(refs).find((repo) => repo.id === id),
        listKept: async () => ({ ids: new Set(), targets: new Set(kept) }),
        writtenBefore: Date.now() - 60_000,
      }
      return pruneRepos(program, objects, request, new AbortController().signal)
    },
  }
}

const gitMissing = spawnSync('git', ['--version']).status !== 0

describe.skipIf(gitMissing)('git prune (needs git)', () => {
  test('keeps all that refs reach: history, merges, tags, and refs of a moment ago', async () => {
    const { folder, written, count, prune } = await oldRepos((objects) => {
      const base = commitTo(objects, 'base')
      const sides = ['a', 'b'].map((text) => commitTo(objects, text, [base[0]]))
      const merged = commitTo(objects, 'merged', [sides[0]![0], sides[1]![0]])
      const tagged = commitTo(objects, 'tagged')
      const named = { objectType: 'commit', name: 'v1', tagger: by, headers: [] } as const
      const tag = objects
        .of(one)
        .write('tag', encodeTag({ ...named, objectId: tagged[0], message: 'm\n' }))
      return {
        all: [base, ...sides, merged, tagged, [tag]].flat(),
        refs: [merged[0], tag],
        before: commitTo(objects, 'before'),
        inSnapshot: commitTo(objects, 'in a snapshot'),
        unused: [commitTo(objects, 'forced away', [base[0]]), commitTo(objects, 'alone')].flat(),
      }
    })
    const { all, refs, before, inSnapshot, unused } = written
    await prune(
      { [one.id]: refs },
      { before: { [one.id]: [before[0]] }, kept: [inSnapshot[0], 'e'.repeat(40)] },
    )
    expect(count([...all, ...before, ...inSnapshot])).toBe(all.length + 8)
    expect(count(unused)).toBe(0)
    const repo = join(folder, `${one.id}.git`)
    writeFileSync(
      join(repo, 'packed-refs'),
      refs.map((id, at) => `${id} refs/tags/t${at}\n`).join(''),
    )
    const { status, stderr } = spawnSync('git', ['fsck', '--full', '--strict', '--no-dangling'], {
      cwd: repo,
      encoding: 'utf8',
    })
    expect([status, stderr.replace(/^notice: .*\n/gm, '')]).toEqual([0, ''])
  })

  test('keeps an upload that is not committed yet, also one of a content that was there', async () => {
    const { written, objects, count, prune } = await oldRepos((first) => ({
      now: commitTo(first, 'now'),
      again: commitTo(first, 'again'),
      unused: commitTo(first, 'unused'),
    }))
    const uploads = [...commitTo(objects, 'new'), ...commitTo(objects, 'again')]
    expect(uploads).toEqual(expect.arrayContaining([...written.again]))
    await objects.written()
    await prune({ [one.id]: [written.now[0]] })
    expect(count(uploads)).toBe(8)
    expect(count(written.unused)).toBe(0)
    for (const id of uploads) expect(objects.of(one).has(id)).toBe(true)
  })

  test('leaves a damaged repo alone, is reported, and goes on with the others', async () => {
    const { written, fileOf, count, prune } = await oldRepos((objects) => ({
      now: commitTo(objects, 'now'),
      unused: commitTo(objects, 'unused'),
      elsewhere: commitTo(objects, 'now', [], two),
      unusedElsewhere: commitTo(objects, 'unused', [], two),
    }))
    const { now, unused, elsewhere, unusedElsewhere } = written
    rmSync(fileOf(now[1]))
    const refs = { [one.id]: [now[0]], [two.id]: [elsewhere[0]] }
    await expect(prune(refs)).rejects.toThrow('git prune failed')
    expect(count(unused)).toBe(4)
    expect([count(elsewhere, two), count(unusedElsewhere, two)]).toEqual([4, 0])
  })

  test('comes to a repo once in two weeks, and leaves nothing of its own', async () => {
    const { folder, written, objects, fileOf, count, prune } = await oldRepos((first) =>
      commitTo(first, 'now'),
    )
    const refs = { [one.id]: [written[0]] }
    await prune(refs)
    const unused = commitTo(objects, 'unused')
    await objects.written()
    for (const id of unused) utimesSync(fileOf(id), longAgo, longAgo)
    await prune(refs)
    expect(count(unused)).toBe(4)
    // Sooner if a ref was deleted.
    objects.noteUnreachable(one)
    await prune(refs)
    expect([count(unused), count(written)]).toEqual([0, 4])
    expect(readdirSync(join(folder, 'unfinished'))).toEqual([])
  })

  test('ends when the sandbox stops', async () => {
    const { written, count, prune } = await oldRepos((objects) => ({
      now: commitTo(objects, 'now'),
      unused: commitTo(objects, 'unused'),
    }))
    const program = new GitProgram()
    await program.require()
    await program.close()
    await expect(prune({ [one.id]: [written.now[0]] }, {}, program)).rejects.toThrow('stops')
    expect(count(written.unused)).toBe(4)
  })
})

test('without git, nothing is pruned', async () => {
  const { written, count, prune } = await oldRepos((objects) => ({
    now: commitTo(objects, 'now'),
    unused: commitTo(objects, 'unused'),
  }))
  await prune({ [one.id]: [written.now[0]] }, {}, new GitProgram('/nowhere/git'))
  expect(count(Object.values(written).flat())).toBe(8)
})
