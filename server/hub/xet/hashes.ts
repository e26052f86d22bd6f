import { createBLAKE3 } from 'hash-wasm'
import type { ChunkTable } from '../../store/objects/chunk-table.ts'
import { ChunkTree, type TreeNode } from './chunk-tree.ts'

// The hashes of Xet: BLAKE3 with a key for each purpose.
// https://huggingface.co/docs/xet/hashing

/** Bytes of a hash. */
export const hashBytes = 32

const keyOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const chunkKey = keyOf('6697f5775b9550de3135cbaca597181c9de421109beb2b58b4d0b04b93adf229')
const nodeKey = keyOf('017ec5c7a5472996fd946666b48a02e65ddd536f37c76dd2f86352e64a53713f')
const rangeKey = keyOf('7f1857d6ce56ed66127ff913e7a5c3f3a4cd26d5b5db49e64124987f28fb94c3')
const fileKey = new Uint8Array(hashBytes)

type Hash = (bytes: Uint8Array) => Uint8Array

/** The hashes of Xet, as functions of bytes. */
export interface XetHashes {
  /** Hashes the content of a chunk. */
  readonly chunk: Hash
  /** Hashes the hashes of a range of chunks, one after another, which proves that an uploader knows them. */
  readonly range: Hash
  /** Hashes the children of a node. */
  readonly node: (children: readonly TreeNode[]) => TreeNode
  /**
   * Begins to hash the chunks of a xorb or of a file.
   * @param node hashes the children of a node, for a caller that remembers some; default: that of these hashes
   */
  readonly chunks: (node?: XetHashes['node']) => ChunkHasher
}

let loading: Promise<XetHashes> | undefined
let loaded: XetHashes | undefined

/** Loads the hashes, once: most sandboxes never need them. */
export function loadXetHashes(): Promise<XetHashes> {
  return (loading ??= load())
}

/**
 * Returns the hashes without a turn of the event loop.
 * @throws {TypeError} before {@link loadXetHashes} has loaded them
 */
export function loadedXetHashes(): XetHashes {
  if (loaded === undefined) throw new TypeError('the hashes of Xet were not loaded')
  return loaded
}

async function load(): Promise<XetHashes> {
  const keys = [chunkKey, rangeKey, nodeKey, fileKey]
  const [chunk, range, lines, file] = await Promise.all(keys.map(hashWithKey))
  if (!chunk || !range || !lines || !file) throw new TypeError('each key has a hash')
  const node = (children: readonly TreeNode[]) => {
    const text = children.map(({ hash, length }) => `${hashText(hash)} : ${length}\n`).join('')
    const length = children.reduce((sum, child) => sum + child.length, 0)
    return { hash: lines(Buffer.from(text, 'latin1')), length }
  }
  loaded = { chunk, range, node, chunks: (own = node) => new ChunkHasher(own, file) }
  return loaded
}

/** Returns a hash that only who knows its key can recompute. */
export async function hashWithKey(key: Uint8Array): Promise<Hash> {
  const blake3 = await createBLAKE3(8 * hashBytes, key)
  return (bytes) => blake3.init().update(bytes).digest('binary')
}

/** Hashes all chunks of a xorb, or of a file, chunk by chunk. */
class ChunkHasher {
  readonly #tree: ChunkTree
  readonly #hashFile: Hash

  constructor(hashNode: XetHashes['node'], hashFile: Hash) {
    this.#tree = new ChunkTree(hashNode)
    this.#hashFile = hashFile
  }

  add(hash: Uint8Array, length: number): void {
    this.#tree.add({ hash, length })
  }

  /** Returns the hash of a xorb: the root. */
  xorbHash(): Uint8Array {
    return this.#tree.finish().nodes[0]?.hash ?? new Uint8Array(hashBytes)
  }

  /** Returns the hash of a file. An empty file has zeros. */
  fileHash(): Uint8Array {
    const [root] = this.#tree.finish().nodes
    return root === undefined ? new Uint8Array(hashBytes) : this.#hashFile(root.hash)
  }
}

/** Returns the verification hash of a range of chunks, as text. */
export function proofOf(
  { range }: Pick<XetHashes, 'range'>,
  table: ChunkTable,
  { start, end }: { start: number; end: number },
): string {
  const all = Array.from({ length: end - start }, (_, index) => table.hashOf(start + index))
  return hashText(range(Buffer.concat(all)))
}

/**
 * Formats a hash as 64 hex digits: each 8 bytes as a little-endian number.
 * @see https://huggingface.co/docs/xet/api#converting-hashes-to-strings
 */
export function hashText(hash: Uint8Array): string {
  return swapped(hash).toString('hex')
}

/** Parses a hash of 64 hex digits. */
export function parseHash(text: string): Uint8Array {
  return swapped(Buffer.from(text, 'hex'))
}

function swapped(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes).swap64()
}
