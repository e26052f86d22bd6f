import { beforeEach, describe, expect, test } from 'vitest'
import { TreeMeter } from '../../../../server/hub/git/tree-extent.ts'
import type { ObjectStore } from '../../../../server/store/objects/object-store.ts'
import {
  type TreeEntry,
  treeEntry,
  type TreeMode,
} from '../../../../server/store/objects/tree-codec.ts'
import { GitFormatError } from '../../../../server/store/objects/object-id.ts'
import { createHubWorld } from '../hub-world.ts'

let objects: ObjectStore
let meter: TreeMeter
let read: string[]
beforeEach(async () => {
  const world = await createHubWorld()
  objects = world.objects(world.repo('acme/corpus'))
  read = []
  meter = new TreeMeter(objects, (id) => {
    read.push(id)
    return objects.readTree(id)
  })
})

/** Folders within folders, in each the same under every name; in the innermost the same empty file. */
function nest(depth: number, names: readonly string[]): string {
  let [mode, id]: [TreeMode, string] = ['100644', objects.write('blob', Buffer.of())]
  for (let level = 0; level < depth; level++) {
    const entries: TreeEntry[] = names.map((name) => treeEntry(name, mode, id))
    ;[mode, id] = ['40000', objects.writeTree(entries)]
  }
  return id
}

const digits = '0123456789'.split('')
const n250 = 'ü'.repeat(125)

describe('size of a folder', () => {
  test.each([
    ['a million, though it is small', 6, digits, 'it has more than 250000 files and folders'],
    ['fewer', 5, digits, undefined],
    ['more files than there are stars', 80, digits, 'it has more than 250000 files and folders'],
    ['twice as many in each', 2048, ['d', 'ee'], 'it has more than 250000 files and folders'],
    ['long names', 17, [n250], 'it has paths of more than 4096 bytes'],
    ['names that are as long as can be', 16, [n250], undefined],
    ['folders without end', 20_000, ['d'], 'it has paths of more than 4096 bytes'],
    ['as many as fit', 2048, ['d'], undefined],
  ])('%s', (_, depth, names, problem) => {
    expect(meter.findExcess(nest(depth, names))).toBe(problem)
  })

  test('a folder is measured once', () => {
    const id = nest(4, digits)
    meter.findExcess(id)
    meter.findExcess(objects.writeTree([treeEntry('d', '40000', id)]))
    expect(read).toHaveLength(5)
    expect(meter.hasRead(id)).toBe(true)
  })

  test('an unreadable folder is not measured', () => {
    const blind = new TreeMeter(objects, () => {
      throw new GitFormatError('no folder')
    })
    expect(blind.findExcess('1'.repeat(40))).toBeUndefined()
    expect(blind.hasRead('1'.repeat(40))).toBe(false)
  })
})
