import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  encodeCommit,
  encodeTree,
  gitObjectId,
  readBlob,
  readCommit,
  readTree,
  writeBlob,
  writeCommit,
  writeTree,
} from '../../../server/hub/git-objects.ts'
import { listCommits } from '../../../server/hub/history.ts'
import { commitFiles } from '../../../server/hub/commits.ts'
import { mainRef } from '../../../server/hub/revisions.ts'
import { createHubWorld, type HubWorld, start } from './hub-world.ts'

let world: HubWorld

beforeEach(async () => {
  world = await createHubWorld()
})

describe('git objects', () => {
  test('has the ids of git for the empty file and the empty tree', () => {
    expect(writeBlob(world.state, Buffer.of()).id).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
    expect(writeTree(world.state, []).id).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
  })

  test('keeps text readable and other bytes exactly', () => {
    const text = writeBlob(world.state, Buffer.from('grüße\n'))
    const binary = writeBlob(world.state, Buffer.of(0, 255, 128, 10))
    expect(text).toMatchObject({ encoding: 'utf-8', content: 'grüße\n', size: 8 })
    expect(binary).toMatchObject({ encoding: 'base64', size: 4 })
    expect([...readBlob(world.state, binary.id)]).toEqual([0, 255, 128, 10])
  })

  test('sorts a folder as if its name ended in a slash', () => {
    const { id: oid } = writeBlob(world.state, Buffer.from('x'))
    const folder = writeTree(world.state, [{ name: 'f', type: 'file', oid, size: 1 }])
    const tree = writeTree(world.state, [
      { name: 'a0', type: 'file', oid, size: 1 },
      { name: 'a', type: 'directory', oid: folder.id, size: 0 },
      { name: 'a.b', type: 'file', oid, size: 1 },
    ])
    expect(tree.entries.map(({ name }) => name)).toEqual(['a.b', 'a', 'a0'])
  })

  test('cuts dates to seconds, since the id holds no more', () => {
    const commit = writeCommit(world.state, {
      treeId: writeTree(world.state, []).id,
      parentIds: [],
      title: 'x',
      message: '',
      authorName: 'system',
      date: start + 999,
    })
    expect(commit.date).toBe(start)
  })

  const gitMissing = spawnSync('git', ['--version']).status !== 0
  test.skipIf(gitMissing)('makes a history that git itself accepts (needs git)', () => {
    const { state, deps, users } = world
    const repo = world.repo('alice/tiny', { license: 'mit' })
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
    const head = after.refs[mainRef]!
    const folder = mkdtempSync(join(tmpdir(), 'hub-git-'))
    const git = (args: string[], input?: Uint8Array) =>
      execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf-8' }).trim()
    try {
      git(['init', '--bare', '--quiet'])
      const write = (type: string, bytes: Uint8Array) =>
        git(['hash-object', '-t', type, '-w', '--stdin'], bytes)
      for (const { id } of state.blobs.values()) {
        expect(write('blob', readBlob(state, id))).toBe(id)
      }
      for (const { id } of state.trees.values()) {
        expect(write('tree', encodeTree(readTree(state, id).entries))).toBe(id)
      }
      for (const { id } of listCommits(state, head)) {
        expect(write('commit', encodeCommit(readCommit(state, id)))).toBe(id)
      }
      expect(git(['fsck', '--strict', '--full', '--no-dangling', head])).toBe('')
      expect(git(['log', '--format=%an|%s|%ct', head]).split('\n')).toEqual([
        `alice|Add data|${start / 1000}`,
        `system|initial commit|${start / 1000}`,
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('names the type in what is hashed', () => {
    expect(gitObjectId('blob', Buffer.of())).not.toBe(gitObjectId('tree', Buffer.of()))
  })
})
