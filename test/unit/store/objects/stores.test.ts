import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { createFolderObjects } from '../../../../server/store/objects/folder-objects.ts'
import { createMemoryObjects } from '../../../../server/store/objects/memory-objects.ts'
import type { ObjectStores } from '../../../../server/store/objects/object-store.ts'
import { treeEntry } from '../../../../server/store/objects/tree-codec.ts'
import { noRepoUse } from '../../../helpers/no-repo-use.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const one = { id: '1'.repeat(24) }
const two = { id: '2'.repeat(24) }

function commitTo(objects: ObjectStores, content: string, parentIds: string[] = [], repo = one) {
  const store = objects.of(repo)
  const blob = store.write('blob', Buffer.from(content))
  const treeId = store.writeTree([treeEntry('file', '100644', blob)])
  const by = { name: 'A', email: 'a@x.example', seconds: 1, timeZone: '+0000' }
  const commit = { treeId, parentIds, author: by, committer: by, headers: [], message: 'x\n' }
  return { blob, treeId, id: store.writeCommit(commit) }
}

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

const large = Buffer.alloc(3_000_000, 'of some length. ')

const fileOf = (folder: string, id: string) => join(folder, 'objects', id.slice(0, 2), id.slice(2))

const gitId = (bytes: Buffer) =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

describe.each([
  ['memory', () => createMemoryObjects()],
  ['a folder', () => createFolderObjects(temporaryDirectory())],
  ['memory over a folder', () => createMemoryObjects(createFolderObjects(temporaryDirectory()))],
])('objects in %s', (_, create) => {
  test('exist as soon as they are written, in their repo only', async () => {
    const objects = create()
    const { blob, id, treeId } = commitTo(objects, 'content')
    for (let turn = 0; turn < 2; turn++) {
      const store = objects.of(one)
      expect(store.read(blob)).toEqual({ type: 'blob', content: Buffer.from('content') })
      expect(store.size(blob)).toBe(7)
      expect(store.readTree(treeId)).toEqual([treeEntry('file', '100644', blob)])
      expect(store.readCommit(id).treeId).toBe(treeId)
      await objects.synced()
    }
    expect(objects.of(two).has(blob)).toBe(false)
    const missing = expect.objectContaining({ name: 'MissingObjectError' })
    expect(() => objects.of(two).read(blob)).toThrow(missing)
    expect(() => objects.of(two).size(blob)).toThrow(missing)
    expect(() => objects.of(two).readCommit(id)).toThrow(missing)
  })

  test('are never read as another type', () => {
    const objects = create()
    const { blob, id, treeId } = commitTo(objects, 'content')
    const store = objects.of(one)
    expect(() => store.readTree(blob)).toThrow('is a blob, not a tree')
    expect(() => store.readTree(id)).toThrow('is a commit, not a tree')
    expect(() => store.readCommit(treeId)).toThrow('is a tree, not a commit')
  })

  test('do not change with the memory that they came from', () => {
    const objects = create()
    const bytes = Buffer.from('content')
    const id = objects.of(one).write('blob', bytes)
    bytes.fill(0)
    expect(objects.of(one).read(id).content.toString()).toBe('content')
  })

  test.each([
    ['empty', Buffer.of()],
    ['small', Buffer.from('0123456789')],
    ['large', large],
  ])('are streamed: %s', async (_size, bytes) => {
    const objects = create()
    const store = objects.of(one)
    const id = store.write('blob', bytes)
    expect(id).toBe(gitId(bytes))
    await objects.written()
    expect(store.size(id)).toBe(bytes.length)
    expect((await buffer(store.openBlob(id))).equals(bytes)).toBe(true)
    const middle = { start: Math.floor(bytes.length / 3), end: Math.floor(bytes.length / 2) }
    const part = await buffer(store.openBlob(id, middle))
    expect(part.equals(bytes.subarray(middle.start, middle.end))).toBe(true)
    expect(store.read(id).content.equals(bytes)).toBe(true)
    await objects.close()
  })

  test.each([
    ['a text', Buffer.alloc(60_000, 'of some length. ')],
    ['what is dense', randomBytes(60_000)],
    ['a longer one that is dense', randomBytes(900_000)],
  ])('are the same after writing, also for earlier readers: %s', async (__, content) => {
    const objects = create()
    const [lent, unasked] = [Buffer.from(content), Buffer.concat([content, Buffer.of(0)])]
    const ids = [lent, unasked].map((bytes) => objects.of(one).write('blob', bytes))
    const before = objects.of(one).read(gitId(lent)).content
    const stream = objects.of(one).openBlob(gitId(lent))
    await objects.written()
    expect(before.equals(content)).toBe(true)
    expect((await buffer(stream)).equals(content)).toBe(true)
    expect(lent.equals(content)).toBe(true)
    for (const [index, bytes] of [lent, unasked].entries()) {
      const id = ids[index] ?? ''
      expect(objects.of(one).size(id)).toBe(bytes.length)
      expect(objects.of(one).read(id).content.equals(bytes)).toBe(true)
    }
  })

  test('are found by git in a folder, with later ones', async () => {
    const objects = create()
    const { blob, id, treeId } = commitTo(objects, 'content')
    const big = objects.of(one).write('blob', large)
    const refs = { 'refs/heads/main': id }
    const folder = await objects.folderFor({ ...one, refs })
    const has = (...ids: string[]) => ids.map((each) => existsSync(fileOf(folder, each)))
    expect(has(blob, treeId, id)).toEqual([true, true, true])
    const next = objects
      .of(one)
      .writeTree([treeEntry('big', '100644', big), treeEntry('file', '100644', blob)])
    const child = objects.of(one).writeCommit({
      ...objects.of(one).readCommit(id),
      treeId: next,
      parentIds: [id],
    })
    const again = { ...one, refs: { ...refs, 'refs/heads/dev': child } }
    expect(await Promise.all([objects.folderFor(again), objects.folderFor(again)])).toEqual([
      folder,
      folder,
    ])
    expect(has(big, next, child)).toEqual([true, true, true])
    expect(readFileSync(join(folder, 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n')
    const temporary = objects.temporary()
    expect(existsSync(dirname(temporary))).toBe(true)
    expect(existsSync(temporary)).toBe(false)
    await objects.close()
  })

  test('are read from a folder as git writes it', async () => {
    const objects = create()
    const elsewhere = createFolderObjects(temporaryDirectory())
    const { blob, id, treeId } = commitTo(elsewhere, 'content')
    const folder = await elsewhere.folderFor({ ...one, refs: { 'refs/heads/main': id } })
    for (const each of [blob, id, treeId]) chmodSync(fileOf(folder, each), 0o444)
    mkdirSync(join(folder, 'objects/pack'))
    writeFileSync(join(folder, 'objects', id.slice(0, 2), 'tmp_obj_x'), 'half of one')
    // What is there already stays as it is.
    commitTo(objects, 'content', [], two)
    objects.of(one).write('blob', Buffer.from('content'))
    await objects.of(one).takeLoose(join(folder, 'objects'))
    expect(objects.of(one).readCommit(id).treeId).toBe(treeId)
    expect(objects.of(one).readTree(treeId)[0]?.oid).toBe(blob)
    await objects.synced()
    const now = await objects.folderFor({ ...one, refs: { 'refs/heads/main': id } })
    for (const each of [blob, id, treeId]) {
      expect(statSync(fileOf(now, each)).mode & 0o777).toBe(0o600)
    }
    await objects.close()
  })

  test('are copied to another repo with all that they depend on', async () => {
    const objects = create()
    const first = commitTo(objects, 'first')
    const second = commitTo(objects, 'second', [first.id])
    const stray = commitTo(objects, 'stray')
    objects.duplicate(one, two, [second.id])
    for (let turn = 0; turn < 2; turn++) {
      const store = objects.of(two)
      for (const { id, blob, treeId } of [first, second]) {
        expect([store.has(id), store.size(blob)]).toEqual([true, store.read(blob).content.length])
        expect(store.readTree(treeId)).toHaveLength(1)
        expect((await buffer(store.openBlob(blob))).length).toBe(store.size(blob))
      }
      await objects.synced()
    }
    expect(objects.of(two).has(stray.id)).toBe(false)
  })

  test('stay in a repo that is being created from another one, as its own', async () => {
    const objects = create()
    const first = commitTo(objects, 'first')
    const written = commitTo(objects, 'written', [first.id])
    const taken = commitTo(objects, 'taken', [first.id])
    const elsewhere = createFolderObjects(temporaryDirectory())
    commitTo(elsewhere, 'taken', [first.id])
    const unpacked = await elsewhere.folderFor({ ...one, refs: {} })
    await elsewhere.close()
    objects.duplicate(one, two, [first.id])
    expect(commitTo(objects, 'written', [first.id], two)).toEqual(written)
    await objects.of(two).takeLoose(join(unpacked, 'objects'))
    await objects.synced()
    for (const { id, blob, treeId } of [written, taken]) {
      const store = objects.of(two)
      expect([id, treeId, blob].map((each) => store.has(each))).toEqual([true, true, true])
      expect(store.read(blob).type).toBe('blob')
    }
  })

  test('are restored as captured, whatever came after', async () => {
    const objects = create()
    const before = commitTo(objects, 'before')
    const kept = objects.capture()
    objects.forget()
    commitTo(objects, 'after')
    objects.forget()
    objects.adopt(kept, [{ ...one, refs: { 'refs/heads/main': before.id } }])
    expect(objects.of(one).read(before.blob).content.toString()).toBe('before')
    const other = createMemoryObjects()
    other.adopt(kept, [{ ...one, refs: { 'refs/heads/main': before.id } }])
    const added = commitTo(other, 'elsewhere', [before.id])
    expect(other.of(one).readCommit(before.id).treeId).toBe(before.treeId)
    expect(objects.of(one).has(added.id)).toBe(false)
  })

  test('of a deleted repo stay for captures and open stores, and other repos keep theirs', () => {
    const objects = create()
    const gone = commitTo(objects, 'gone')
    const other = commitTo(objects, 'other', [], two)
    const [kept, opened] = [objects.capture(), objects.of(one)]
    objects.release(one)
    expect(opened.read(gone.blob).content.toString()).toBe('gone')
    expect(opened.readCommit(gone.id).treeId).toBe(kept.of(one).readCommit(gone.id).treeId)
    expect(objects.of(one).size(gone.blob)).toBe(4)
    expect(objects.of(two).read(other.blob).content.toString()).toBe('other')
    objects.adopt(kept, [{ ...one, refs: { 'refs/heads/main': gone.id } }])
    expect(objects.of(one).read(gone.blob).content.toString()).toBe('gone')
  })
})

describe('large contents of objects in memory', () => {
  const refsTo = (id: string) => [{ ...one, refs: { 'refs/heads/main': id } }]
  const commitLarge = (objects: ObjectStores) => {
    const store = objects.of(one)
    const blob = store.write('blob', large)
    const treeId = store.writeTree([treeEntry('large', '100644', blob)])
    const { id } = commitTo(objects, 'content')
    return { blob, id: store.writeCommit({ ...store.readCommit(id), treeId }) }
  }
  test('belong to a duplicate, also after the original is gone', async () => {
    const objects = createMemoryObjects()
    const { blob, id } = commitLarge(objects)
    objects.duplicate(one, two, [id])
    const forked = createMemoryObjects()
    forked.adopt(objects.capture(), [...refsTo(id), { ...two, refs: { 'refs/heads/main': id } }])
    expect((await buffer(objects.of(two).openBlob(blob))).equals(large)).toBe(true)
    await objects.close()
    for (const repo of [one, two]) {
      expect(forked.of(repo).size(blob)).toBe(large.length)
      expect((await buffer(forked.of(repo).openBlob(blob))).equals(large)).toBe(true)
    }
    await forked.close()
  })

  test('are read from a folder of git', async () => {
    const elsewhere = createFolderObjects(temporaryDirectory())
    const { blob, id } = commitLarge(elsewhere)
    const folder = await elsewhere.folderFor(refsTo(id)[0]!)
    const objects = createMemoryObjects()
    await objects.of(one).takeLoose(join(folder, 'objects'))
    expect((await buffer(objects.of(one).openBlob(blob))).equals(large)).toBe(true)
    await objects.close()
  })

  test('are restored as captured', async () => {
    const objects = createMemoryObjects()
    const { blob, id } = commitLarge(objects)
    const kept = objects.capture()
    objects.forget()
    expect(objects.of(one).has(blob)).toBe(false)
    objects.adopt(kept, refsTo(id))
    expect((await buffer(objects.of(one).openBlob(blob))).equals(large)).toBe(true)
    await objects.close()
  })
})

describe('objects layered over others', () => {
  test('share the objects already read, however often the layer is recreated', () => {
    const base = createFolderObjects(temporaryDirectory())
    const { id, treeId } = commitTo(base, 'content')
    const below = base.of(one)
    for (let turn = 0; turn < 2; turn++) {
      const above = createMemoryObjects(base).of(one)
      expect(above.readTree(treeId)).toBe(below.readTree(treeId))
      expect(above.readCommit(id)).toBe(below.readCommit(id))
    }
  })

  test('write without reading the lower layer', () => {
    const base = createFolderObjects(temporaryDirectory())
    const below = base.of(one)
    const look = vi.spyOn(below, 'has')
    const { blob } = commitTo(createMemoryObjects(base), 'content')
    expect(look).not.toHaveBeenCalled()
    expect(below.has(blob)).toBe(false)
  })
})

describe('objects in a folder', () => {
  test('are found by the next process', async () => {
    const folder = temporaryDirectory()
    const objects = createFolderObjects(folder)
    const { blob, id } = commitTo(objects, 'content')
    await objects.close()
    const store = createFolderObjects(folder).of(one)
    expect([store.size(blob), store.readCommit(id).message]).toEqual([7, 'x\n'])
  })

  test('are written once, without leftovers', async () => {
    const folder = temporaryDirectory()
    const objects = createFolderObjects(folder)
    commitTo(objects, 'content')
    await objects.written()
    const files = filesIn(folder)
    commitTo(objects, 'content')
    objects.of(one).write('blob', Buffer.from('content'))
    await objects.written()
    expect(filesIn(folder)).toEqual(files)
    expect(readdirSync(join(folder, 'unfinished'))).toEqual([])
  })

  test('include those of memory, as far as refs reach them', async () => {
    const folder = temporaryDirectory()
    const memory = createMemoryObjects()
    const { id, blob } = commitTo(memory, 'content')
    const stray = commitTo(memory, 'stray')
    const objects = createFolderObjects(folder)
    objects.adopt(memory.capture(), [{ ...one, refs: { 'refs/heads/main': id } }])
    await objects.close()
    const store = createFolderObjects(folder).of(one)
    expect([store.has(id), store.has(blob), store.has(stray.blob)]).toEqual([true, true, false])
  })

  test('distinguish a broken file from a missing one', async () => {
    const folder = temporaryDirectory()
    const objects = createFolderObjects(folder)
    const { blob } = commitTo(objects, 'content')
    await objects.close()
    const file = join(folder, `${one.id}.git`, 'objects', blob.slice(0, 2), blob.slice(2))
    writeFileSync(file, 'what?')
    const store = createFolderObjects(folder).of(one)
    const damaged = expect.objectContaining({
      name: 'StateError',
      message: `${file} is damaged: it cannot be unpacked`,
    })
    expect(() => store.read(blob)).toThrow(damaged)
    expect(() => store.size(blob)).toThrow(damaged)
  })

  test('stay in memory until the disk accepts them', async () => {
    const folder = join(temporaryDirectory(), 'repos')
    writeFileSync(folder, 'in the way')
    const objects = createFolderObjects(folder)
    const { blob } = commitTo(objects, 'content')
    await expect(objects.written()).rejects.toThrow(
      expect.objectContaining({
        name: 'StateError',
        message: expect.stringMatching(/^cannot write/),
      }),
    )
    expect(objects.of(one).read(blob).content.toString()).toBe('content')
    rmSync(folder)
    await objects.close()
    expect(createFolderObjects(folder).of(one).size(blob)).toBe(7)
  })

  test('report a damaged file in the stream', async () => {
    const folder = temporaryDirectory()
    const objects = createFolderObjects(folder)
    const id = objects.of(one).write('blob', large)
    await objects.close()
    const file = join(folder, `${one.id}.git`, 'objects', id.slice(0, 2), id.slice(2))
    writeFileSync(file, readFileSync(file).subarray(0, -20))
    const stream = createFolderObjects(folder).of(one).openBlob(id)
    stream.resume()
    const [error] = (await once(stream, 'error')) as [Error]
    expect(error.message).toContain('is damaged')
  })

  test('are readable while being written', async () => {
    const objects = createFolderObjects(temporaryDirectory())
    commitTo(objects, 'one')
    await objects.written()
    const first = objects.synced()
    const order: string[] = []
    const [noted, second] = [first?.then(() => order.push('first')), objects.synced()]
    commitTo(objects, 'two')
    const third = objects.synced()?.then(() => order.push('third'))
    await second?.then(() => order.push('second'))
    await Promise.all([noted, third])
    expect(order).toEqual(['first', 'second', 'third'])
    expect(objects.synced()).toBeUndefined()
  })

  test('are cleaned up by a later run: partial and unreferenced files', async () => {
    const folder = temporaryDirectory()
    const objects = createFolderObjects(folder)
    commitTo(objects, 'used')
    commitTo(objects, 'kept', [], two)
    const three = { id: '3'.repeat(24) }
    const four = { id: '4'.repeat(24) }
    commitTo(objects, 'unused', [], three)
    commitTo(objects, 'made again', [], four)
    await objects.close()
    writeFileSync(join(folder, 'unfinished', 'cut-off'), 'ha')
    mkdirSync(join(folder, 'of-somebody-else.git'))

    const later = createFolderObjects(folder)
    const again = commitTo(later, 'made again', [], four)
    await later.removeUnused({
      isUsed: (id) => id === one.id,
      listKept: async () => ({ ids: new Set([two.id]), targets: new Set() }),
    })
    await later.close()
    expect(readdirSync(folder).toSorted()).toEqual([
      `${one.id}.git`,
      `${two.id}.git`,
      `${four.id}.git`,
      'of-somebody-else.git',
      'unfinished',
    ])
    expect(readdirSync(join(folder, 'unfinished'))).toEqual([])
    expect(createFolderObjects(folder).of(four).size(again.blob)).toBe(10)
  })

  test('are removed in the same run once they are released and no capture is in use', async () => {
    const folder = temporaryDirectory()
    const objects = createFolderObjects(folder)
    const none = { ...noRepoUse, isUsed: (id: string) => id === two.id }
    const folders = () => readdirSync(folder).filter((name) => name.endsWith('.git'))
    commitTo(objects, 'gone')
    commitTo(objects, 'used', [], two)
    await objects.written()
    expect(objects.releasedAt).toBeUndefined()
    await objects.removeUnused(none)
    expect(folders()).toHaveLength(2)

    const captured = objects.capture()
    objects.release(one)
    expect(objects.releasedAt).toBeLessThanOrEqual(Date.now())
    await objects.removeUnused(none)
    expect([folders().length, captured.of(one).has('a'.repeat(40))]).toEqual([2, false])

    const others = createFolderObjects(folder)
    others.release(one)
    await others.removeUnused(none)
    expect([folders(), others.releasedAt]).toEqual([[`${two.id}.git`], undefined])
  })

  test('are cached until their folder is removed: a reset may bring them back', async () => {
    const objects = createFolderObjects(temporaryDirectory())
    const { id } = commitTo(objects, 'gone')
    const store = objects.of(one)
    const fact = { name: 'fact', sizeOf: () => 1 }
    store.remember(fact, id, 'known')
    await objects.written()
    objects.forget()
    expect(store.recall(fact, id)).toBe('known')
    await objects.removeUnused(noRepoUse)
    expect(store.recall(fact, id)).toBeUndefined()
  })

  test('without a folder are cleaned up immediately', async () => {
    const folder = join(temporaryDirectory(), 'none')
    await createFolderObjects(folder).removeUnused(noRepoUse)
    expect(existsSync(folder)).toBe(false)
  })

  test('never leave the folder', () => {
    const objects = createFolderObjects(temporaryDirectory())
    expect(() => objects.of({ id: '../../elsewhere' })).toThrow(TypeError)
  })
})
