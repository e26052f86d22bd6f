import { createHash } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createFolderObjects } from '../../../../server/store/objects/folder-objects.ts'
import type { KeptLfsContents, LfsContents } from '../../../../server/store/objects/lfs-contents.ts'
import { createMemoryObjects } from '../../../../server/store/objects/memory-objects.ts'
import type { ObjectStores } from '../../../../server/store/objects/object-store.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const small = Buffer.from('a small one')
const large = Buffer.alloc(3_000_000, 'of some length. ')

const contentOf = (bytes: Buffer) => ({
  oid: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
})

async function* chunksOf(bytes: Buffer, size = 700_000) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function upload(contents: LfsContents, bytes: Buffer, announced = contentOf(bytes)) {
  const receiving = contents.receive(announced)
  try {
    await receiving.write(chunksOf(bytes), { start: 0, length: announced.size })
    await receiving.finish()
  } finally {
    await receiving.close()
  }
}

const read = (contents: KeptLfsContents, bytes: Buffer, range?: { start: number; end: number }) =>
  buffer(contents.open(contentOf(bytes).oid, range))

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : []

describe.each([
  ['memory', () => createMemoryObjects()],
  ['a folder', () => createFolderObjects(temporaryDirectory())],
])('contents in %s', (_, create) => {
  async function withObjects(work: (objects: ObjectStores) => Promise<void>) {
    const objects = create()
    try {
      await work(objects)
    } finally {
      await objects.close()
    }
  }

  test.each([
    ['small', small],
    ['large', large],
    ['empty', Buffer.alloc(0)],
  ])('are read as stored, %s', (_name, bytes) =>
    withObjects(async ({ lfs }) => {
      expect(lfs.has(contentOf(bytes).oid)).toBe(false)
      await upload(lfs, bytes)
      expect(lfs.has(contentOf(bytes).oid)).toBe(true)
      expect((await read(lfs, bytes)).equals(bytes)).toBe(true)
      await upload(lfs, bytes)
      expect((await read(lfs, bytes)).equals(bytes)).toBe(true)
    }),
  )

  test('are read in part', () =>
    withObjects(async ({ lfs }) => {
      await upload(lfs, small)
      await upload(lfs, large)
      expect((await read(lfs, small, { start: 2, end: 7 })).toString()).toBe('small')
      const middle = { start: 65_000, end: 131_073 }
      expect((await read(lfs, large, middle)).equals(large.subarray(65_000, 131_073))).toBe(true)
    }))

  test.each([
    ['small', small],
    ['large', large],
  ])('arrive in parts, in any order and concurrently, %s', (_name, bytes) =>
    withObjects(async ({ lfs }) => {
      const receiving = lfs.receive(contentOf(bytes), true)
      const third = Math.ceil(bytes.length / 3)
      await Promise.all(
        [2, 0, 1].map((part) => {
          const piece = bytes.subarray(part * third, (part + 1) * third)
          return receiving.write(chunksOf(piece, 100_000), {
            start: part * third,
            length: piece.length,
          })
        }),
      )
      await receiving.finish()
      await receiving.close()
      expect((await read(lfs, bytes)).equals(bytes)).toBe(true)
    }),
  )

  test.each([
    ['small', small],
    ['large', large],
  ])('are refused if different from the announced content, %s', (_name, bytes) =>
    withObjects(async ({ lfs }) => {
      const announced = contentOf(bytes)
      const other = Buffer.from(bytes)
      other[0] = 1
      await expect(upload(lfs, other, announced)).rejects.toMatchObject({ reason: 'hash' })
      const shorter = bytes.subarray(1)
      await expect(upload(lfs, shorter, announced)).rejects.toMatchObject({ reason: 'length' })
      const longer = Buffer.concat([bytes, small])
      await expect(upload(lfs, longer, announced)).rejects.toMatchObject({ reason: 'length' })
      expect(lfs.has(announced.oid)).toBe(false)
      await upload(lfs, bytes)
      await expect(upload(lfs, other, announced)).rejects.toMatchObject({ reason: 'hash' })
    }),
  )
})

test('contents are shared with a copy of the sandbox and outlive the original', async () => {
  const origin = createMemoryObjects()
  await upload(origin.lfs, small)
  await upload(origin.lfs, large)
  const fork = createMemoryObjects()
  const kept = origin.capture()
  fork.adopt(kept, [])
  origin.forget()
  expect(origin.lfs.has(contentOf(large).oid)).toBe(false)
  expect(kept.lfs.has(contentOf(large).oid)).toBe(true)
  origin.adopt(kept, [])
  expect((await read(origin.lfs, large)).equals(large)).toBe(true)
  await origin.close()
  expect((await read(fork.lfs, large)).equals(large)).toBe(true)
  expect((await read(fork.lfs, small)).equals(small)).toBe(true)
  await fork.close()

  const stored = createFolderObjects(temporaryDirectory())
  await upload(stored.lfs, small)
  const copy = createMemoryObjects()
  copy.adopt(stored.capture(), [])
  expect((await read(copy.lfs, small)).equals(small)).toBe(true)
})

test('contents are written once, without leftovers in the folder', async () => {
  const folder = temporaryDirectory()
  const objects = createFolderObjects(folder)
  await upload(objects.lfs, large)
  await upload(objects.lfs, large)
  await upload(objects.lfs, small, contentOf(large)).catch(() => {})
  expect(filesIn(folder)).toEqual([contentOf(large).oid])
  // A line of the journal waits for it.
  const syncing = objects.synced()
  expect(syncing).toBeInstanceOf(Promise)
  await syncing
  await objects.close()
})

test('unreferenced and partial contents are removed by a later run', async () => {
  const folder = temporaryDirectory()
  const first = createFolderObjects(folder)
  const [used, kept, unused, again] = ['used', 'kept', 'unused', 'again'].map((text) =>
    Buffer.from(text),
  )
  for (const bytes of [used!, kept!, unused!, again!]) await upload(first.lfs, bytes)
  await first.close()
  writeFileSync(join(folder, 'lfs', 'unfinished', 'cut-off'), 'ha')

  const later = createFolderObjects(folder)
  await upload(later.lfs, again!)
  await later.removeUnused({
    isUsed: (id) => id === contentOf(used!).oid,
    listKept: async () => ({ ids: new Set([contentOf(kept!).oid]), targets: new Set() }),
  })
  await later.close()
  expect(filesIn(folder).toSorted()).toEqual(
    [used!, kept!, again!].map((bytes) => contentOf(bytes).oid).toSorted(),
  )
})

test('a released content is removed in the same run, with its chunks', async () => {
  const folder = temporaryDirectory()
  const objects = createFolderObjects(folder)
  for (const bytes of [small, large]) await upload(objects.lfs, bytes)
  const use = {
    isUsed: (id: string) => id === contentOf(large).oid,
    listKept: async () => ({ ids: new Set<string>(), targets: new Set<string>() }),
  }
  // An upload that no repo refers to yet.
  await objects.removeUnused(use)
  expect(filesIn(folder)).toHaveLength(2)
  objects.lfs.release(contentOf(small).oid)
  expect(objects.releasedAt).toBeLessThanOrEqual(Date.now())
  await objects.removeUnused(use)
  expect(filesIn(folder)).toEqual([contentOf(large).oid])
})

test('contents never leave the folder', () => {
  const { lfs } = createFolderObjects(temporaryDirectory())
  expect(() => lfs.has('../../elsewhere')).toThrow(TypeError)
})

test('in memory, a small released content is gone unless captured or being read', async () => {
  const objects = createMemoryObjects()
  await upload(objects.lfs, small)
  const { oid } = contentOf(small)
  const captured = objects.capture()
  const reading = objects.lfs.open(oid)
  objects.lfs.release(oid)
  objects.lfs.release('never there')
  expect(objects.lfs.has(oid)).toBe(false)
  expect((await buffer(reading)).equals(small)).toBe(true)
  expect((await read(captured.lfs, small)).equals(small)).toBe(true)
  await upload(objects.lfs, small)
  expect((await read(objects.lfs, small)).equals(small)).toBe(true)
  objects.lfs.release(oid)
  objects.adopt(captured, [])
  expect((await read(objects.lfs, small)).equals(small)).toBe(true)
  await objects.close()
})
