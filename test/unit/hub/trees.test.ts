import { expect, test } from 'vitest'
import { writeBlob, writeCommit } from '../../../server/hub/files/git-objects.ts'
import { editTreeInSteps, listFiles } from '../../../server/hub/files/trees.ts'
import { createMemoryObjects } from '../../../server/objects/memory-objects.ts'
import { reachable } from '../../../server/objects/reachable.ts'
import { finish } from '../../../server/core/slices.ts'

const objects = createMemoryObjects().of({ id: 'a'.repeat(24) })
const file = { oid: writeBlob(objects, Buffer.from('x')).id }
const changesOf = (paths: readonly string[]) => new Map(paths.map((path) => [path, file] as const))

test('folders may be as deep as a path', () => {
  const paths = Array.from({ length: 60 }, (_, index) => `${index}${'/a'.repeat(2000)}`)
  const { id } = finish(editTreeInSteps(objects, undefined, changesOf(paths)))
  expect([...finish(listFiles(objects, id)).keys()]).toEqual(paths.toSorted())
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

test.each([
  ['many files', Array.from({ length: 2000 }, (_, index) => `${index}`)],
  ['many folders', [`${'a/'.repeat(2000)}a`]],
])('%s can be left and gone on with', (_what, paths) => {
  const steps = editTreeInSteps(objects, undefined, changesOf(paths))
  const left = Array.from({ [Symbol.iterator]: () => steps })
  expect(left.length).toBeGreaterThan(1999)
})
