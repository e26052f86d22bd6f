import { Refusal } from '../../core/refusal.ts'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import type { KeptLfsContents } from '../../store/objects/lfs-contents.ts'
import type { XetFile } from '../../store/objects/xet-contents.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { parseHash } from './hashes.ts'
import type { ShardXorb } from './shard.ts'

type Deps = Pick<HubDeps, 'state'> & { readonly objects: { readonly lfs: KeptLfsContents } }
type RepoId = Pick<Repo, 'id'>

type FoundFile = { readonly oid: string; readonly file: XetFile }

/** Lists the files of a repo that came by Xet. */
function* xetFilesOf({ state, objects }: Deps, { id }: RepoId): Generator<FoundFile> {
  for (const { oid } of state.lfsFiles.group('repo', id)) {
    const file = objects.lfs.xetFile(oid)
    if (file !== undefined) yield { oid, file }
  }
}

/**
 * Finds files of a repo by the hash of their chunks. All are listed once, however many are looked for: a request of 1 MB can name
 * 15,000 hashes.
 * @returns a function that finds one
 * @throws {Refusal} `not_found` (the function)
 */
export function findXetFiles(deps: Deps, repo: RepoId): (hash: string) => FoundFile {
  const byHash = new Map<string, FoundFile>()
  for (const found of xetFilesOf(deps, repo)) byHash.set(found.file.hash, found)
  return (hash) => byHash.get(hash) ?? refuseUnknown(hash)
}

/**
 * Finds a file of a repo by the hash of its chunks.
 * @throws {Refusal} `not_found`
 */
export function requireXetFile(deps: Deps, repo: RepoId, hash: string): FoundFile {
  for (const found of xetFilesOf(deps, repo)) if (found.file.hash === hash) return found
  return refuseUnknown(hash)
}

function refuseUnknown(hash: string): never {
  throw new Refusal('not_found', 'The repo of the token has no such file', {
    detail: `no file that was uploaded to it by Xet has the hash ${hash}`,
  })
}

const xorbs = new WeakMap<XetFile, ReadonlySet<string>>()

/** Returns the xorbs of a file in the order of their first use; a file never changes. */
function xorbsOf(file: XetFile): ReadonlySet<string> {
  const names = xorbs.get(file) ?? new Set(file.terms.map(({ xorb }) => xorb))
  xorbs.set(file, names)
  return names
}

/** @throws {Refusal} `not_found` unless a file of the repo has chunks of a xorb */
export function requireXorb(deps: Deps, repo: RepoId, hash: string): void {
  for (const { file } of xetFilesOf(deps, repo)) {
    if (xorbsOf(file).has(hash)) return
  }
  throw new Refusal('not_found', 'No file of the repo has such a xorb')
}

/** Xorbs in one response: a client that finds a chunk probably has the following ones, and requests more later. */
const mostXorbs = 16

/**
 * Xorbs that a search reads: 16 GB of content, whose tables take 0.1 s to read from disk. A client that does not find a chunk
 * uploads it.
 */
const mostSearched = 256

/**
 * Finds a chunk in the files of a repo, the latest first.
 * @returns the first xorb of a file that has it and some that follow; `undefined` when none has
 */
export function findChunk(deps: Deps, repo: RepoId, chunk: string): ShardXorb[] | undefined {
  const wanted = parseHash(chunk)
  const searched = new Set<string>()
  const { lfs } = deps.objects
  for (const { file } of [...xetFilesOf(deps, repo)].toReversed()) {
    const names = [...xorbsOf(file)]
    for (const [index, name] of names.entries()) {
      if (searched.has(name)) continue
      if (searched.size >= mostSearched) return undefined
      searched.add(name)
      if (lfs.xorbChunks(name)?.has(wanted) !== true) continue
      const near = names.slice(index, index + mostXorbs)
      return near.map((one) => ({ hash: parseHash(one), chunks: listChunks(lfs, one) }))
    }
  }
  return undefined
}

function listChunks(lfs: KeptLfsContents, xorb: string): KeptChunk[] {
  const table = lfs.xorbChunks(xorb)
  return Array.from({ length: table?.count ?? 0 }, (_, index) => ({
    hash: table?.hashOf(index) ?? Buffer.alloc(0),
    length: table?.lengthOf(index) ?? 0,
  }))
}
