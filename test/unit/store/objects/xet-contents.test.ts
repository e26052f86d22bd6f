import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createFolderObjects } from '../../../../server/store/objects/folder-objects.ts'
import type { LfsContents } from '../../../../server/store/objects/lfs-contents.ts'
import { createMemoryObjects } from '../../../../server/store/objects/memory-objects.ts'
import {
  MissingObjectError,
  type ObjectStores,
} from '../../../../server/store/objects/object-store.ts'
import type { XetFile } from '../../../../server/store/objects/xet-contents.ts'
import { StateError } from '../../../../server/store/errors.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const idOf = (text: string) => hashOf(text).toString('hex')

/** Keeps a xorb whose chunks are texts. */
async function keepXorb(lfs: LfsContents, name: string, texts: readonly string[]) {
  const upload = lfs.receiveXorb(idOf(name))
  try {
    for (const text of texts) await upload.write(Buffer.from(text))
    await upload.finish(texts.map((text) => ({ hash: hashOf(text), length: text.length })))
  } finally {
    await upload.close()
  }
}

const first = ['once ', 'upon ', 'a ', 'time']
const second = [' there', ' was']
/** "upon a there wasonce ": of two xorbs, and not in their order. */
const file: XetFile = {
  hash: idOf('chunks'),
  size: 22,
  terms: [
    { xorb: idOf('first'), start: 1, end: 3, from: 5, bytes: 7 },
    { xorb: idOf('second'), start: 0, end: 2, from: 0, bytes: 10 },
    { xorb: idOf('first'), start: 0, end: 1, from: 0, bytes: 5 },
  ],
}
const text = 'upon a  there wasonce '
const oid = idOf(text)

async function keepFile(lfs: LfsContents) {
  await keepXorb(lfs, 'first', first)
  await keepXorb(lfs, 'second', second)
  await lfs.keepXetFile(oid, file)
}

const read = async (lfs: Pick<LfsContents, 'open'>, range?: { start: number; end: number }) =>
  String(await buffer(lfs.open(oid, range)))

const stores: [string, () => ObjectStores][] = [
  ['in a folder', () => createFolderObjects(temporaryDirectory())],
  ['in memory', () => createMemoryObjects()],
]

describe.each(stores)('contents that came by Xet, %s', (_name, create) => {
  test('are read as one content, in any part', async () => {
    const { lfs } = create()
    expect([lfs.has(oid), lfs.xetFile(oid), lfs.xorbChunks(idOf('first'))]).toEqual([
      false,
      undefined,
      undefined,
    ])
    await keepFile(lfs)
    expect(lfs.has(oid)).toBe(true)
    expect(lfs.xetFile(oid)).toEqual(file)
    expect(await read(lfs)).toBe(text)
    for (let start = 0; start < text.length; start++) {
      for (let end = start + 1; end <= text.length; end++) {
        expect(await read(lfs, { start, end })).toBe(text.slice(start, end))
      }
    }
  })

  test('a xorb lists its chunks with their places', async () => {
    const { lfs } = create()
    await keepFile(lfs)
    const table = lfs.xorbChunks(idOf('first'))
    const chunks = Array.from({ length: table?.count ?? 0 }, (_, index) => [
      table?.hashOf(index).toString('hex'),
      table?.startOf(index),
      table?.lengthOf(index),
    ])
    expect(chunks).toEqual([
      [idOf('once '), 0, 5],
      [idOf('upon '), 5, 5],
      [idOf('a '), 10, 2],
      [idOf('time'), 12, 4],
    ])
    expect([table?.has(hashOf('a ')), table?.has(hashOf('the'))]).toEqual([true, false])
  })

  test('a cut-off upload leaves nothing', async () => {
    const { lfs } = create()
    const upload = lfs.receiveXorb(idOf('first'))
    await upload.write(Buffer.from('once '))
    await upload.close()
    expect(lfs.xorbChunks(idOf('first'))).toBeUndefined()
  })
})

test('in memory, a capture keeps what is released later, and another sandbox takes it', async () => {
  const objects = createMemoryObjects()
  await keepFile(objects.lfs)
  const captured = objects.capture()
  objects.lfs.release(oid)
  expect(objects.lfs.has(oid)).toBe(false)
  expect(await read(captured.lfs)).toBe(text)
  const other = createMemoryObjects()
  other.adopt(captured, [])
  await objects.close()
  expect(await read(other.lfs)).toBe(text)
})

test('a file is not found after a power cut that has spoiled a xorb, which is then kept again', async () => {
  const folder = temporaryDirectory()
  await keepFile(createFolderObjects(folder).lfs)
  const holds = (members: object) => {
    const change = { collection: 'lfsFiles', id: 'id', members: { ...members }, before: undefined }
    return createFolderObjects(folder).holds?.(change)
  }
  expect(holds({ oid })).toBe(true)
  const name = idOf('first')
  const xorb = join(folder, 'lfs/xorbs', name.slice(0, 2), name.slice(2, 4), name)
  const spoiled = readFileSync(xorb).fill(0, 0, 3)
  writeFileSync(xorb, spoiled)
  expect(holds({ oid })).toBe(false)
  // Stand-ins have chunks of any content.
  expect(holds({ oid, standsFor: 'a file' })).toBe(true)
  const later = createFolderObjects(folder).lfs
  expect(later.hasWholeXorb(name)).toBe(false)
  await keepXorb(later, 'first', first)
  expect([later.hasWholeXorb(name), holds({ oid })]).toEqual([true, true])
})

test('the empty file of a bucket needs no content', () => {
  const { holds } = createFolderObjects(temporaryDirectory())
  const members = { oid: idOf(''), size: 0 }
  expect(holds?.({ collection: 'bucketFiles', id: 'id', members, before: undefined })).toBe(true)
})

describe('in a folder', () => {
  const namesIn = (folder: string, kind: string) => {
    const path = join(folder, 'lfs', kind)
    if (!existsSync(path)) return []
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted()
  }
  const removeUnused = async (folder: string, isUsed: (id: string) => boolean, kept = '') => {
    const later = createFolderObjects(folder)
    await later.removeUnused({
      isUsed,
      listKept: async () => ({ ids: new Set([kept]), targets: new Set() }),
    })
    return later
  }

  test('a later run has them, and removes what no repo and no snapshot names', async () => {
    const folder = temporaryDirectory()
    const early = createFolderObjects(folder)
    await keepFile(early.lfs)
    await keepXorb(early.lfs, 'unused', ['unused'])
    await early.close()
    const both = [idOf('first'), idOf('second')].toSorted()
    expect(namesIn(folder, 'xorbs')).toEqual([...both, idOf('unused')].toSorted())

    const later = await removeUnused(folder, (id) => id === oid)
    expect(namesIn(folder, 'xorbs')).toEqual(both)
    expect(await read(later.lfs)).toBe(text)
    await (await removeUnused(folder, () => false, oid)).close()
    expect(namesIn(folder, 'chunked')).toEqual([oid])
    await (await removeUnused(folder, () => false)).close()
    expect([namesIn(folder, 'chunked'), namesIn(folder, 'xorbs')]).toEqual([[], []])
  })

  test('clients are to forget what they know before a xorb is removed, and only then', async () => {
    const folder = temporaryDirectory()
    await keepFile(createFolderObjects(folder).lfs)
    const forgotten: string[][] = []
    const use = (isUsed: boolean) => ({
      isUsed: () => isUsed,
      listKept: async () => ({ ids: new Set<string>(), targets: new Set<string>() }),
      forgetXorbs: () => forgotten.push(namesIn(folder, 'xorbs')),
    })
    await createFolderObjects(folder).removeUnused(use(true))
    expect(forgotten).toEqual([])
    await createFolderObjects(folder).removeUnused(use(false))
    expect(forgotten[0]).toHaveLength(2)
  })

  test('what is being uploaded stays', async () => {
    const folder = temporaryDirectory()
    const objects = createFolderObjects(folder)
    await keepFile(objects.lfs)
    await objects.removeUnused({
      isUsed: () => false,
      listKept: async () => ({ ids: new Set(), targets: new Set() }),
    })
    expect(await read(objects.lfs)).toBe(text)
  })

  test('a file whose xorb has just been removed is refused', async () => {
    const folder = temporaryDirectory()
    const early = createFolderObjects(folder)
    await keepXorb(early.lfs, 'first', first)
    await keepXorb(early.lfs, 'second', second)
    await early.close()
    const later = await removeUnused(folder, () => false)
    await expect(later.lfs.keepXetFile(oid, file)).rejects.toThrow(MissingObjectError)
    expect(later.lfs.has(oid)).toBe(false)
  })

  test('a damaged file is named', async () => {
    const folder = temporaryDirectory()
    const { lfs } = createFolderObjects(folder)
    await keepFile(lfs)
    const [name] = readdirSync(join(folder, 'lfs/xorbs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name === idOf('first'))
      .map((entry) => join(entry.parentPath, entry.name))
    writeFileSync(name ?? '', 'short')
    expect(() => lfs.xorbChunks(idOf('first'))).toThrow(StateError)
    expect(() => lfs.xorbChunks('../../elsewhere')).toThrow(TypeError)
  })
})
