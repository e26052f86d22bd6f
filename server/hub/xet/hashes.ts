import { createBLAKE3 } from 'hash-wasm'

// The hashes of Xet: BLAKE3 with a key for each purpose.
// https://huggingface.co/docs/xet/hashing

/** Bytes of a hash. */
export const hashBytes = 32

const keyOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const chunkKey = keyOf('6697f5775b9550de3135cbaca597181c9de421109beb2b58b4d0b04b93adf229')
const nodeKey = keyOf('017ec5c7a5472996fd946666b48a02e65ddd536f37c76dd2f86352e64a53713f')
const rangeKey = keyOf('7f1857d6ce56ed66127ff913e7a5c3f3a4cd26d5b5db49e64124987f28fb94c3')
const fileKey = new Uint8Array(hashBytes)

/** Mean number of children of a node. */
const branching = 4
const leastChildren = 3
const mostChildren = 2 * branching + 1

type Hash = (bytes: Uint8Array) => Uint8Array

/** The hashes of Xet, as functions of bytes. */
export interface XetHashes {
  /** Hashes the content of a chunk. */
  readonly chunk: Hash
  /** Hashes the hashes of a range of chunks, one after another, which proves that an uploader knows them. */
  readonly range: Hash
  /** Begins to hash the chunks of a xorb or of a file. */
  readonly chunks: () => ChunkHasher
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
  const [chunk, range, node, file] = await Promise.all(keys.map(hashWithKey))
  if (!chunk || !range || !node || !file) throw new TypeError('each key has a hash')
  loaded = { chunk, range, chunks: () => new ChunkHasher(node, file) }
  return loaded
}

/** Returns a hash that only who knows its key can recompute. */
export async function hashWithKey(key: Uint8Array): Promise<Hash> {
  const blake3 = await createBLAKE3(8 * hashBytes, key)
  return (bytes) => blake3.init().update(bytes).digest('binary')
}

/** Hash of a chunk or of a node, with the bytes of its content. */
interface Node {
  readonly hash: Uint8Array
  readonly length: number
}

/**
 * Hashes chunks as a Merkle tree, chunk by chunk: those of a xorb, or of a file. A node ends after a child whose hash
 * divides by four, so that a change of some chunks leaves the other nodes as they are.
 */
export class ChunkHasher {
  /** For each level from the chunks up, the children of its next node. */
  readonly #levels: Node[][] = []
  readonly #hashNode: Hash
  readonly #hashFile: Hash

  constructor(hashNode: Hash, hashFile: Hash) {
    this.#hashNode = hashNode
    this.#hashFile = hashFile
  }

  add(hash: Uint8Array, length: number): void {
    this.#push(0, { hash, length })
  }

  /** Returns the hash of a xorb: the root. */
  xorbHash(): Uint8Array {
    const root = this.#root()
    return root?.hash ?? new Uint8Array(hashBytes)
  }

  /** Returns the hash of a file. An empty file has zeros. */
  fileHash(): Uint8Array {
    const root = this.#root()
    return root === undefined ? new Uint8Array(hashBytes) : this.#hashFile(root.hash)
  }

  #push(level: number, child: Node): void {
    const children = (this.#levels[level] ??= [])
    children.push(child)
    // The hash counts as a number by its last 64 bits, of which this byte is the lowest.
    const endsNode = (child.hash[24] ?? 0) % branching === 0
    if (children.length < leastChildren) return
    if (children.length === mostChildren || endsNode) this.#endNode(level)
  }

  #endNode(level: number): void {
    const children = this.#levels[level] ?? []
    this.#levels[level] = []
    const lines = children.map(({ hash, length }) => `${hashText(hash)} : ${length}\n`)
    this.#push(level + 1, {
      hash: this.#hashNode(Buffer.from(lines.join(''), 'latin1')),
      length: children.reduce((sum, { length }) => sum + length, 0),
    })
  }

  /** Ends the last node of each level, until one is left. */
  #root(): Node | undefined {
    for (let level = 0; level < this.#levels.length; level++) {
      const children = this.#levels[level] ?? []
      if (level === this.#levels.length - 1 && children.length === 1) return children[0]
      if (children.length > 0) this.#endNode(level)
    }
    return undefined
  }
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
