import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cleanPerson,
  type CommitObject,
  encodeCommit,
  encodeTag,
  parseCommit,
  parseTag,
  type Signature,
} from '../../../../server/store/objects/commit-codec.ts'
import { createFolderObjects } from '../../../../server/store/objects/folder-objects.ts'
import { gitObjectId } from '../../../../server/store/objects/object-id.ts'
import type { ObjectStore } from '../../../../server/store/objects/object-store.ts'
import {
  encodeTree,
  parseTree,
  sortTree,
  treeEntry,
  type TreeEntry,
} from '../../../../server/store/objects/tree-codec.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const oid = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
const person = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map(cleanPerson)
  // Names have no such letters at their ends, which git leaves out.
  .filter((name) => /^[\p{L}\p{N}]/u.test(name) && /[\p{L}\p{N}]$/u.test(name))
const signature: fc.Arbitrary<Signature> = fc.record({
  name: person,
  email: fc.emailAddress(),
  seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
  timeZone: fc.constantFrom('+0000', '-0730', '+1400'),
})
const line = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[\0\r\n]/g, ''))
const message = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))
const pgpSignature = line.map(
  (text) => `-----BEGIN PGP SIGNATURE-----\n\n${text}\n-----END PGP SIGNATURE-----`,
)
const commit: fc.Arbitrary<CommitObject> = fc.record({
  treeId: oid,
  parentIds: fc.array(oid, { maxLength: 3 }),
  author: signature,
  committer: signature,
  headers: fc.array(
    fc.tuple(fc.constant('gpgsig'), pgpSignature) as fc.Arbitrary<readonly [string, string]>,
    { maxLength: 1 },
  ),
  message,
})
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replaceAll(/[\0/]/g, ''))
  .filter((text) => text !== '' && !/^\.{1,2}$|git|[\u{200c}-\u{206f}\u{feff}~\\:]/iu.test(text))
const entries: fc.Arbitrary<TreeEntry[]> = fc
  .uniqueArray(
    fc.tuple(name, fc.constantFrom('40000', '100644', '100755', '120000', '160000'), oid),
    { selector: ([entryName]) => entryName, maxLength: 12 },
  )
  .map((list) => sortTree(list.map(([entryName, mode, id]) => treeEntry(entryName, mode, id))))

describe('objects of git', () => {
  test('commits round-trip', () => {
    fc.assert(
      fc.property(commit, (value) => {
        expect(parseCommit(encodeCommit(value))).toEqual(value)
      }),
    )
  })

  test('tags round-trip', () => {
    const tag = fc.record({
      objectId: oid,
      objectType: fc.constantFrom('commit', 'tree', 'blob', 'tag'),
      name: fc.constantFrom('v1', 'release/2'),
      tagger: signature,
      headers: fc.constant([]),
      message,
    })
    fc.assert(
      fc.property(tag, (value) => {
        expect(parseTag(encodeTag(value))).toEqual(value)
      }),
    )
  })

  test('folders round-trip', () => {
    fc.assert(
      fc.property(entries, (value) => {
        expect(parseTree(encodeTree(value))).toEqual(value)
      }),
    )
  })

  test('have an id that depends on their type', () => {
    expect(gitObjectId('blob', Buffer.of())).not.toBe(gitObjectId('tree', Buffer.of()))
  })
})

describe('reading a commit', () => {
  const head = `tree ${'a'.repeat(40)}\n`
  const by = 'A <a@x.example> 1 +0000'
  const whole = (rest: string) => Buffer.from(`${head}author ${by}\ncommitter ${by}\n${rest}`)

  test('decodes a message with its declared encoding', () => {
    const bytes = Buffer.concat([
      whole('encoding ISO-8859-1\n\n'),
      Buffer.from('Gr\u{fc}\u{df}e', 'latin1'),
    ])
    expect(parseCommit(bytes)).toMatchObject({
      message: 'Gr\u{fc}\u{df}e',
      headers: [['encoding', 'ISO-8859-1']],
    })
    expect(parseCommit(whole('encoding nobody-knows\n\nx')).message).toBe('x')
  })

  test.each([
    ['no name', '<a@x.example> 12 +0100', { name: '', email: 'a@x.example', seconds: 12 }],
    ['no date', 'A <a@x.example>', { name: 'A', seconds: 0, timeZone: '+0000' }],
    ['no address', 'A', { name: '', email: '', seconds: 0 }],
    ['two brackets', 'A <a@x.example>> 12 +0100', { email: 'a@x.example', seconds: 12 }],
  ])('accepts an author with %s, as old programs wrote', (_, author, expected) => {
    const bytes = Buffer.from(`${head}author ${author}\ncommitter ${by}\n\nx`)
    expect(parseCommit(bytes).author).toMatchObject(expected)
  })

  test.each([
    ['nothing', ''],
    ['no folder', `author ${by}\ncommitter ${by}\n\nx`],
    ['no committer', `${head}author ${by}\n\nx`],
    ['a line that goes on from none', ' x\n\n'],
  ])('refuses %s', (_, text) => {
    expect(() => parseCommit(Buffer.from(text))).toThrow(
      expect.objectContaining({ name: 'GitFormatError' }),
    )
  })
})

describe('reading a folder', () => {
  const entry = (mode: string, bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${mode} `), bytes, Buffer.alloc(21)])

  test.each([
    ['that is cut off', entry('100644', Buffer.from('a')).subarray(0, -1), 'cut off'],
    ['of an unknown mode', entry('100600', Buffer.from('a')), 'mode 100600'],
    ['of the mode of something else', entry('constructor', Buffer.from('a')), 'mode constructor'],
    ['with a name that is no text', entry('100644', Buffer.of(0xff)), 'not UTF-8'],
  ])('refuses a folder %s', (_, bytes, problem) => {
    expect(() => parseTree(bytes)).toThrow(problem)
  })
})

const gitMissing = spawnSync('git', ['--version']).status !== 0

describe.skipIf(gitMissing)('git itself (needs git)', () => {
  function git(folder: string, args: string[], input?: string | Uint8Array) {
    const run = spawnSync('git', ['--git-dir', folder, ...args], {
      ...(input === undefined ? {} : { input }),
      env: { ...process.env, LC_ALL: 'C' },
    })
    return { status: run.status, stdout: run.stdout, stderr: run.stderr.toString() }
  }

  async function withStore(work: (store: ObjectStore) => void) {
    const folder = temporaryDirectory()
    const repo = { id: 'c'.repeat(24) }
    const objects = createFolderObjects(folder)
    work(objects.of(repo))
    await objects.written()
    return { store: objects.of(repo), repo: join(folder, `${repo.id}.git`) }
  }

  test('git fsck finds no problem in written objects', async () => {
    const { repo } = await withStore((store) => {
      const blobs = fc
        .sample(fc.uint8Array({ maxLength: 2000 }), { numRuns: 20, seed: 1 })
        .map((bytes) => store.write('blob', bytes))
      const empty = store.writeTree([])
      const trees = fc.sample(entries, { numRuns: 40, seed: 2 }).map((list, index) =>
        store.writeTree(
          list.map((item) => ({
            ...item,
            ...(item.type === 'file' && { oid: blobs[index % blobs.length]! }),
            ...(item.type === 'directory' && { oid: empty }),
          })),
        ),
      )
      let parents: string[] = []
      fc.sample(commit, { numRuns: 40, seed: 3 }).forEach((value, index) => {
        parents = [store.writeCommit({ ...value, treeId: trees[index]!, parentIds: parents })]
      })
    })
    const checked = git(repo, ['fsck', '--strict', '--full', '--no-dangling'])
    // A message in which there is nothing is worth a word to it, not more.
    expect(checked.stderr.replaceAll(/^(?:Checking|notice|warning).*\n/gm, '')).toBe('')
    expect(checked.status).toBe(0)
    const listed = git(repo, ['cat-file', '--batch-all-objects', '--batch-check'])
    const files = readdirSync(join(repo, 'objects'), { recursive: true }).filter(
      (file) => String(file).replaceAll(/\W/g, '').length === 40,
    )
    expect(listed.stdout.toString().trim().split('\n')).toHaveLength(files.length)
  })

  test('objects of git are read and written unchanged', async () => {
    const { store, repo } = await withStore((objects) => objects.writeTree([]))
    const stdout = (args: string[], input?: string) => {
      const { status, stdout: out, stderr } = git(repo, args, input)
      expect(stderr).toBe('')
      expect(status).toBe(0)
      return out.toString().trim()
    }
    const blob = stdout(['hash-object', '-w', '--stdin'], 'to/the/target')
    const folder = stdout(['mktree'], `100644 blob ${blob}\tinside\n`)
    const gitlink = 'd'.repeat(40)
    const tree = stdout(
      ['mktree', '--missing'],
      [
        `100755 blob ${blob}\trun.sh`,
        `120000 blob ${blob}\tlink`,
        `160000 commit ${gitlink}\tsubmodule`,
        `040000 tree ${folder}\tfolder`,
        `100644 blob ${blob}\tfolder.txt\n`,
      ].join('\n'),
    )
    const who = '-c user.name=A -c user.email=a@x.example'.split(' ')
    const made = stdout([...who, 'commit-tree', tree, '-m', 'One', '-m', 'Two'])
    const tagged = stdout(
      ['mktag'],
      `object ${made}\ntype commit\ntag v1\ntagger A <a@x.example> 1 +0200\n\nFirst\n`,
    )
    expect(store.readTree(tree).map((item) => `${item.mode} ${item.type} ${item.name}`)).toEqual([
      '100644 file folder.txt',
      '40000 directory folder',
      '120000 file link',
      '100755 file run.sh',
      '160000 submodule submodule',
    ])
    expect(encodeTree(store.readTree(tree))).toEqual(store.read(tree).content)
    expect(encodeCommit(store.readCommit(made))).toEqual(store.read(made).content)
    expect(store.readCommit(made)).toMatchObject({ treeId: tree, message: 'One\n\nTwo\n' })
    const { type, content } = store.read(tagged)
    expect([type, encodeTag(parseTag(content))]).toEqual(['tag', content])
    expect(store.read(blob).content.toString()).toBe('to/the/target')
  })
})
