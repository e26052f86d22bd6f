import { expect, test } from 'vitest'
import { findChunk, findXetFiles } from '../../../../server/hub/xet/find-files.ts'
import { parseHash } from '../../../../server/hub/xet/hashes.ts'
import { ChunkTable, formatChunks } from '../../../../server/store/objects/chunk-table.ts'

const hashOf = (number: number) => number.toString(16).padStart(64, '0')

/** A file of xorbs, each with one chunk whose hash is 1,000 more than that of the xorb. */
function depsOf(xorbs: number) {
  const names = Array.from({ length: xorbs }, (_, index) => hashOf(index + 1))
  const terms = names.map((xorb) => ({ xorb, start: 0, end: 1, from: 0, bytes: 1 }))
  const lfs = {
    xetFile: () => ({ hash: '', size: xorbs, terms }),
    xorbChunks: (name: string) =>
      new ChunkTable(
        formatChunks([
          { hash: parseHash(hashOf(Number.parseInt(name, 16) + 1000)), length: 1 },
        ]).subarray(0, -4),
      ),
  }
  const state = { lfsFiles: { group: () => [{ oid: 'file' }] } }
  return { state, objects: { lfs } } as unknown as Parameters<typeof findChunk>[0]
}

test('a chunk is told with the xorbs that follow in its file, not with all', async () => {
  const found = findChunk(depsOf(100), { id: 'repo' }, hashOf(1050))
  const expected = Array.from({ length: 16 }, (_, index) => hashOf(50 + index))
  expect(found?.map(({ hash }) => Buffer.from(hash))).toEqual(expected.map(parseHash))
  expect(found?.[0]?.chunks).toHaveLength(1)
  expect(findChunk(depsOf(10), { id: 'repo' }, hashOf(1050))).toBeUndefined()
})

test('a chunk is looked for in 256 xorbs at most', async () => {
  expect(findChunk(depsOf(300), { id: 'repo' }, hashOf(1256))).toHaveLength(16)
  expect(findChunk(depsOf(300), { id: 'repo' }, hashOf(1257))).toBeUndefined()
})

test('the files of a repo are listed once, however many are looked for', () => {
  let listed = 0
  const files = Array.from({ length: 1000 }, (_, index) => ({ oid: hashOf(index) }))
  const xetFile = (oid: string) => {
    listed += 1
    return { hash: oid, size: 0, terms: [] }
  }
  const deps = { state: { lfsFiles: { group: () => files } }, objects: { lfs: { xetFile } } }
  const find = findXetFiles(deps as unknown as Parameters<typeof findXetFiles>[0], { id: 'repo' })
  for (const { oid } of files) expect(find(oid).oid).toBe(oid)
  expect(listed).toBe(1000)
  expect(() => find(hashOf(1000))).toThrow('no such file')
})
