import { expect, test } from 'vitest'
import { writeBlob, writeCommit } from '../../../server/hub/files/git-objects.ts'
import { editTree, listFiles } from '../../../server/hub/files/trees.ts'
import { createMemoryObjects } from '../../../server/store/objects/memory-objects.ts'
import { reachable } from '../../../server/store/objects/reachable.ts'

const objects = createMemoryObjects().of({ id: 'a'.repeat(24) })
const file = { oid: writeBlob(objects, Buffer.from('x')).id }
const changesOf = (paths: readonly string[]) => new Map(paths.map((path) => [path, file] as const))

test('folders may be as deep as a path', () => {
  const paths = Array.from({ length: 60 }, (_, index) => `${index}${'/a'.repeat(2000)}`)
  const { id } = editTree(objects, undefined, changesOf(paths))
  expect([...listFiles(objects, id).keys()]).toEqual(paths.toSorted())
  // The last comes after all that it needs, each once.
  const commitId = writeCommit(objects, {
    treeId: id,
    parentIds: [],
    title: 'deep',
    message: '',
    authorName: 'alice',
    date: 0,
  }).id
  expect([...reachable(objects, [commitId])].at(-1)).toBe(commitId)
})
