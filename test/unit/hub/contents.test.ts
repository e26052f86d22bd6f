import { beforeEach, describe, expect, test, vi } from 'vitest'
import { bytesOfContents, contentsOf, mostNamedFiles } from '../../../server/hub/files/contents.ts'
import { type ObjectStore, writeBlob, writeTree } from '../../../server/hub/files/git-objects.ts'
import { createMemoryObjects } from '../../../server/store/objects/memory-objects.ts'
import { treeEntry } from '../../../server/store/objects/tree-codec.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

/** One folder under many names: 61,000 files of 4 bytes. */
function manyFiles(objects: ObjectStore): string {
  const file = writeBlob(objects, Buffer.from('four')).id
  const folder = writeTree(
    objects,
    names(1000).map((name) => treeEntry(name, '100644', file)),
  ).id
  return writeTree(
    objects,
    names(61).map((name) => treeEntry(name, '40000', folder)),
  ).id
}

let objects: ObjectStore
let treeId: string
beforeEach(() => {
  objects = createMemoryObjects().of({ id: 'a'.repeat(24) })
  treeId = manyFiles(objects)
})

describe('contents of a commit', () => {
  test('files are listed up to the limit of the hub and counted as a whole', () => {
    const files = contentsOf(objects, treeId)
    expect([files.length, files[0]?.path, files.at(-1)?.path]).toEqual([
      mostNamedFiles,
      'n0/n0',
      'n8/n999',
    ])
    // Clients that see more than 50,000 ask for the folders instead.
    expect(mostNamedFiles).toBeGreaterThan(50_000)
    expect(bytesOfContents(objects, treeId)).toBe(61_000 * 4)
  })

  test('contents are read once', () => {
    contentsOf(objects, treeId)
    bytesOfContents(objects, treeId)
    const read = vi.spyOn(objects, 'read')
    const size = vi.spyOn(objects, 'size')
    expect(contentsOf(objects, treeId)).toHaveLength(mostNamedFiles)
    expect(bytesOfContents(objects, treeId)).toBe(61_000 * 4)
    expect([read.mock.calls, size.mock.calls]).toEqual([[], []])
  })
})
