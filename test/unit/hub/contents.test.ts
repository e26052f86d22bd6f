import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  bytesOfContents,
  contentsOf,
  exploreContents,
  mostNamedFiles,
} from '../../../server/hub/files/contents.ts'
import { type ObjectStore, writeBlob, writeTree } from '../../../server/hub/files/git-objects.ts'
import { exploreRepo, repoInfo } from '../../../server/hub/repos/repo-info.ts'
import { createMemoryObjects } from '../../../server/objects/memory-objects.ts'
import { treeEntry } from '../../../server/objects/tree-codec.ts'
import { createHubWorld } from './hub-world.ts'

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

  test('contents are read in steps and then cached', async () => {
    const turn = Promise.resolve()
    const pause = vi.fn<() => Promise<void> | undefined>(() => turn)
    await exploreContents(objects, treeId, pause)
    expect(pause).toHaveBeenCalledTimes(61_000)
    const read = vi.spyOn(objects, 'read')
    const size = vi.spyOn(objects, 'size')
    expect(exploreContents(objects, treeId, pause)).toBeUndefined()
    expect(contentsOf(objects, treeId)).toHaveLength(mostNamedFiles)
    expect(bytesOfContents(objects, treeId)).toBe(61_000 * 4)
    expect([read.mock.calls, size.mock.calls]).toEqual([[], []])
  })

  test('contents are the same however they are read', async () => {
    const other = createMemoryObjects().of({ id: 'b'.repeat(24) })
    manyFiles(other)
    await exploreContents(other, treeId, () => undefined)
    expect(contentsOf(other, treeId)).toEqual(contentsOf(objects, treeId))
    expect(bytesOfContents(other, treeId)).toBe(bytesOfContents(objects, treeId))
  })

  test('only callers of the contents wait for them', async () => {
    const world = await createHubWorld()
    const repo = world.repo('acme/corpus', { files: [{ kind: 'add', path: 'a', content: 'b' }] })
    const explore = (expand?: string[]) =>
      exploreRepo(world.deps, { repo, ...(expand && { expand }) }, () => undefined)
    expect(explore(['private', 'tags'])).toBeUndefined()
    const exploring = explore(['siblings'])
    expect(exploring).toBeInstanceOf(Promise)
    await exploring
    expect(explore()).toBeUndefined()
    const { siblings } = repoInfo(world.deps, { repo, readCard: () => ({}) })
    expect(siblings).toEqual([{ rfilename: '.gitattributes' }, { rfilename: 'a' }])
  })
})
