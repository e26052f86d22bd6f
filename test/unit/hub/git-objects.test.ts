import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  readBlob,
  readCommit,
  writeBlob,
  writeCommit,
  writeTree,
} from '../../../server/hub/files/git-objects.ts'
import { commitFiles } from '../../../server/hub/commits/commits.ts'
import { mainRef } from '../../../server/hub/files/revisions.ts'
import { createRepo } from '../../../server/hub/repos/repos.ts'
import { createFolderObjects } from '../../../server/store/objects/folder-objects.ts'
import { createMemoryObjects } from '../../../server/store/objects/memory-objects.ts'
import type { ObjectStore } from '../../../server/store/objects/object-store.ts'
import { treeEntry } from '../../../server/store/objects/tree-codec.ts'
import { createHubWorld, start } from './hub-world.ts'

let objects: ObjectStore

beforeEach(() => {
  objects = createMemoryObjects().of({ id: 'a'.repeat(24) })
})

function commit(change: { title: string; message?: string; authorId?: string; date?: number }) {
  return writeCommit(objects, {
    treeId: writeTree(objects, []).id,
    parentIds: [],
    message: '',
    authorName: 'alice',
    date: start,
    ...change,
  })
}

describe('git objects', () => {
  test('has the ids of git for the empty file and the empty tree', () => {
    expect(writeBlob(objects, Buffer.of()).id).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
    expect(writeTree(objects, []).id).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
  })

  test('every byte is kept', () => {
    const { id, size } = writeBlob(objects, Buffer.of(0, 255, 128, 10))
    expect([size, [...readBlob(objects, id)]]).toEqual([4, [0, 255, 128, 10]])
  })

  test('a folder is sorted as if its name ended in a slash', () => {
    const { id: oid } = writeBlob(objects, Buffer.from('x'))
    const folder = writeTree(objects, [treeEntry('f', '100644', oid)])
    const tree = writeTree(objects, [
      treeEntry('a0', '100644', oid),
      treeEntry('a', '40000', folder.id),
      treeEntry('a.b', '100644', oid),
    ])
    expect(tree.entries.map(({ name }) => name)).toEqual(['a.b', 'a', 'a0'])
  })

  test('dates are truncated to seconds', () => {
    expect(commit({ title: 'x', date: start + 999 }).date).toBe(start)
  })

  test.each([
    { title: 'One line' },
    { title: 'Two parts', message: 'Why\n\nand what' },
    { title: 'By a user', authorId: 'b'.repeat(24) },
  ])('a commit is read as it was written: $title', (change) => {
    const written = commit(change)
    expect(written).toMatchObject({ message: '', authorName: 'alice', ...change })
    expect(readCommit(objects, written.id)).toEqual(written)
  })

  test('only the generated e-mail address belongs to a user', () => {
    const id = 'b'.repeat(24)
    const { treeId } = commit({ title: 'x' })
    const who = { name: 'eve', seconds: 0, timeZone: '+0000' }
    for (const email of [`${id}+eve@users.noreply.localhost.evil.example`, 'eve@example.com']) {
      const author = { ...who, email }
      const pushed = { treeId, parentIds: [], author, committer: author, headers: [], message: '' }
      expect(readCommit(objects, objects.writeCommit(pushed))).not.toHaveProperty('authorId')
    }
  })

  const gitMissing = spawnSync('git', ['--version']).status !== 0
  test.skipIf(gitMissing)('git accepts the history (needs git)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-git-'))
    const kept = createFolderObjects(folder)
    try {
      const { deps: inMemory, users } = await createHubWorld()
      const deps = { ...inMemory, objects: kept }
      const repo = createRepo(deps, { type: 'model', name: 'alice/tiny', license: 'mit' })
      const { repo: after } = commitFiles(deps, {
        repo,
        revision: 'main',
        operations: [
          { kind: 'add', path: 'data/deep/a.txt', content: 'a\n' },
          { kind: 'add', path: 'data.txt', content: Buffer.of(0, 1, 255) },
          { kind: 'add', path: 'data-x/b', content: '' },
        ],
        title: 'Add data',
        description: 'Ünïcode\n\nand lines',
        actorId: users.alice.id,
      })
      await kept.written()
      const head = after.refs[mainRef]!
      const git = (...args: string[]) =>
        execFileSync('git', ['--git-dir', join(folder, `${repo.id}.git`), ...args], {
          encoding: 'utf-8',
          stdio: 'pipe',
        }).trim()
      expect(git('fsck', '--strict', '--full', '--no-dangling', head)).toBe('')
      expect(git('log', '--format=%an|%s|%ct', head).split('\n')).toEqual([
        `alice|Add data|${start / 1000}`,
        `system|initial commit|${start / 1000}`,
      ])
      expect(git('cat-file', 'blob', `${head}:data/deep/a.txt`)).toBe('a')
    } finally {
      await kept.close()
      rmSync(folder, { recursive: true })
    }
  })
})
