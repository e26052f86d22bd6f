import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createMemoryObjects } from '../../../server/store/objects/memory-objects.ts'
import { createFolderObjects } from '../../../server/store/objects/folder-objects.ts'
import { treeEntry } from '../../../server/store/objects/tree-codec.ts'
import { diskOf, installForTests, root, seeds } from './disk-for-tests.ts'

const machine = installForTests()
const folder = `${root}/data/repos`
const repo = { id: 'a'.repeat(24) }
const author = { name: 'alice', email: 'alice@example.com', seconds: 0, timeZone: '+0000' }

const openObjects = () => createFolderObjects(folder)

/** Writes a commit of one file. */
function writeCommit(objects: Pick<ReturnType<typeof openObjects>, 'of'>, text: string): string {
  const store = objects.of(repo)
  const blob = store.write('blob', Buffer.from(text))
  const tree = store.writeTree([treeEntry('a.txt', '100644', blob)])
  return store.writeCommit({
    treeId: tree,
    parentIds: [],
    author,
    committer: author,
    headers: [],
    message: text,
  })
}

const holds = (objects: ReturnType<typeof openObjects>, head: string) =>
  objects.holds?.({
    collection: 'repos',
    id: repo.id,
    members: { refs: { 'refs/heads/main': head } },
    before: undefined,
  })

/** Uses a new disk, on which the data folder was made long ago. */
function newDisk(seed: number): void {
  machine.disk = diskOf(seed)
  fs.mkdirSync(`${root}/data`, { mode: 0o700 })
  machine.disk.syncAll()
}

test('objects that were synced survive a power cut, with all folders above them', async () => {
  for (const seed of seeds(30)) {
    newDisk(seed)
    const objects = openObjects()
    const head = writeCommit(objects, 'first')
    await objects.synced()
    machine.disk = machine.disk.crash('power cut')
    expect(holds(openObjects(), head)).toBe(true)
  }
})

test('a commit that a power cut has spoiled is noticed, and can be written again', async () => {
  let spoiled = 0
  for (const seed of seeds(40)) {
    newDisk(seed)
    const before = openObjects()
    const head = writeCommit(before, 'first')
    await before.written()
    machine.disk = machine.disk.crash('power cut')

    const objects = openObjects()
    if (holds(objects, head) !== true) spoiled += 1
    expect(writeCommit(objects, 'first')).toBe(head)
    await objects.written()
    expect(holds(openObjects(), head)).toBe(true)
  }
  expect(spoiled).toBeGreaterThan(20)
})

test('what an earlier run has written is synced once the journal refers to it', async () => {
  for (const seed of seeds(20)) {
    newDisk(seed)
    const before = openObjects()
    const head = writeCommit(before, 'first')
    await before.written()
    machine.disk = machine.disk.crash('kill')

    const objects = openObjects()
    expect(holds(objects, head)).toBe(true)
    await objects.synced()
    machine.disk = machine.disk.crash('power cut')
    expect(holds(openObjects(), head)).toBe(true)
  }
})

test('git finds the files of a repo after a power cut that has spoiled them', async () => {
  const texts = (folder: string) =>
    ['HEAD', 'config'].map((name) => fs.readFileSync(`${folder}/${name}`, 'utf8'))
  for (const seed of seeds(30)) {
    newDisk(seed)
    const before = openObjects()
    const refs = { 'refs/heads/main': writeCommit(before, 'first') }
    const whole = texts(await before.folderFor({ ...repo, refs }))
    await before.synced()
    machine.disk = machine.disk.crash('power cut')
    expect(texts(await openObjects().folderFor({ ...repo, refs }))).toEqual(whole)
  }
})

test('a content of Git LFS that a power cut has spoiled is noticed, and can be uploaded again', async () => {
  const content = Buffer.from('large '.repeat(2000))
  const oid = createHash('sha256').update(content).digest('hex')
  const holdsContent = (objects: ReturnType<typeof openObjects>) =>
    objects.holds?.({ collection: 'lfsFiles', id: oid, members: { oid }, before: undefined })
  async function upload(objects: ReturnType<typeof openObjects>) {
    const upload = objects.lfs.receive({ oid, size: content.length })
    await upload.write(Readable.from([content]), { start: 0, length: content.length })
    await upload.finish()
    await upload.close()
  }
  let spoiled = 0
  for (const seed of seeds(40)) {
    newDisk(seed)
    const before = openObjects()
    await upload(before)
    machine.disk = machine.disk.crash('power cut')

    const objects = openObjects()
    if (holdsContent(objects) !== true) spoiled += 1
    await upload(objects)
    expect(objects.lfs.read(oid).equals(content)).toBe(true)
    await objects.synced()
    machine.disk = machine.disk.crash('power cut')
    expect(holdsContent(openObjects())).toBe(true)
  }
  expect(spoiled).toBeGreaterThan(20)
})

test('objects that a power cut has spoiled are whole once the fixtures are loaded again', async () => {
  const fixtures = createMemoryObjects()
  const refs = { 'refs/heads/main': writeCommit(fixtures, 'first') }
  for (const seed of seeds(40)) {
    newDisk(seed)
    const before = openObjects()
    before.adopt(fixtures, [{ ...repo, refs }])
    await before.written()
    machine.disk = machine.disk.crash('power cut')

    const objects = openObjects()
    objects.adopt(fixtures, [{ ...repo, refs }])
    await objects.written()
    expect(holds(openObjects(), refs['refs/heads/main'])).toBe(true)
  }
})
