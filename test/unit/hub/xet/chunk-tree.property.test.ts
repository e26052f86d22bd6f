import { createHash } from 'node:crypto'
import { MerkleHashSubtree } from '@huggingface/xetchunk-wasm'
import { assert, boolean, integer, nat, oneof, property, record } from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ChunkTree, type RangeEnds, type TreeNode } from '../../../../server/hub/xet/chunk-tree.ts'
import { hashText, loadXetHashes, type XetHashes } from '../../../../server/hub/xet/hashes.ts'

let hashes: XetHashes
beforeAll(async () => {
  hashes = await loadXetHashes()
})

function chunksOf(count: number, seed: number): TreeNode[] {
  return Array.from({ length: count }, (_, index) => ({
    hash: createHash('sha256').update(`${seed} ${index}`).digest(),
    length: 1 + ((seed + index) % 131_072),
  }))
}

function treeOf(chunks: readonly TreeNode[], ends: RangeEnds) {
  const tree = new ChunkTree(hashes.node, ends)
  for (const chunk of chunks) tree.add(chunk)
  const { nodes, levels, atStart, atEnd } = tree.finish()
  return {
    nodes: nodes.map(({ hash, length }) => ({ hash: hashText(hash), size: length })),
    levels,
    at_start: atStart,
    at_end: atEnd,
  }
}

const ends = record({ atStart: boolean(), atEnd: boolean() })
const count = oneof({ weight: 4, arbitrary: integer({ min: 1, max: 60 }) }, nat(3000))

test("the tree of a range of chunks is that of the Hub's own client", () => {
  assert(
    property(count, nat(), ends, (length, seed, { atStart, atEnd }) => {
      const chunks = chunksOf(Math.max(length, 1), seed)
      const theirs = MerkleHashSubtree.fromChunks(atStart, chunks, atEnd).toJSON()
      expect(treeOf(chunks, { atStart, atEnd })).toEqual(theirs)
    }),
  )
})

test('many chunks make a small tree', () => {
  const { nodes } = treeOf(chunksOf(100_000, 1), { atStart: false, atEnd: false })
  expect(nodes.length).toBeLessThan(500)
})

test('chunks that are all the same are refused before they take much memory', () => {
  const [chunk = { hash: new Uint8Array(32), length: 1 }] = chunksOf(1, 1)
  const tree = new ChunkTree(hashes.node, { atStart: false, atEnd: false })
  expect(() => {
    for (let left = 200_000; left > 0; left--) tree.add(chunk)
  }).toThrow('The chunks of the file are too much alike')
})
