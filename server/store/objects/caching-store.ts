import type { Readable } from 'node:stream'
import { type CommitObject, encodeCommit, parseCommit } from './commit-codec.ts'
import type { GitObject } from './loose-object.ts'
import type { CacheShelf, ObjectCache } from './object-cache.ts'
import { GitFormatError, type ObjectType } from './object-id.ts'
import type { BlobRange, Conclusion, ObjectStore } from './object-store.ts'
import { encodeTree, parseTree, type TreeEntry } from './tree-codec.ts'

type Parsed = readonly TreeEntry[] | CommitObject

/** Memory of a parsed object, as a multiple of its bytes. */
const parsedFactor = 5

/** Base of all object stores, which parses folders and commits once. */
export abstract class CachingStore implements ObjectStore {
  readonly #shelf: CacheShelf

  /** @param repoId keeps the caches of repos apart */
  constructor(cache: ObjectCache, repoId: string) {
    this.#shelf = cache.shelf(repoId)
  }

  abstract has(id: string): boolean
  abstract read(id: string): GitObject
  abstract size(id: string): number
  abstract write(type: ObjectType, content: Uint8Array): string
  abstract openBlob(id: string, range?: BlobRange): Readable
  abstract takeLoose(folder: string): Promise<void>

  // An object never changes its type, and the first reader has checked it.
  readTree(id: string): readonly TreeEntry[] {
    return this.#parsed('tree', id, parseTree) as readonly TreeEntry[]
  }

  readCommit(id: string): CommitObject {
    return this.#parsed('commit', id, parseCommit) as CommitObject
  }

  writeTree(entries: readonly TreeEntry[]): string {
    return this.#writeParsed('tree', encodeTree(entries), entries)
  }

  writeCommit(commit: CommitObject): string {
    return this.#writeParsed('commit', encodeCommit(commit), commit)
  }

  #parsed(type: ObjectType, id: string, parse: (content: Buffer) => Parsed): Parsed {
    const known = this.#shelf.get(type, id)
    if (known !== undefined) return known as Parsed
    const { type: found, content } = this.read(id)
    if (found !== type) throw new GitFormatError(`${id} is a ${found}, not a ${type}`)
    const parsed = parse(content)
    this.#shelf.put(type, id, parsed, content.length * parsedFactor)
    return parsed
  }

  #writeParsed(type: ObjectType, content: Buffer, parsed: Parsed): string {
    const id = this.write(type, content)
    this.#shelf.put(type, id, parsed, content.length * parsedFactor)
    return id
  }

  recall<T>({ name }: Conclusion<T>, key: string): T | undefined {
    return this.#shelf.get(name, key) as T | undefined
  }

  remember<T>({ name, sizeOf }: Conclusion<T>, key: string, value: T): void {
    this.#shelf.put(name, key, value, sizeOf(value))
  }
}
