import type { Repo } from '../../store/entities/hub-entities.ts'
import { type ObjectStore, readBlob } from './git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { type LfsPointer, mayReferTo, parseLfsPointer, pointerLimit } from './lfs-objects.ts'
import type { PathEntry } from './trees.ts'

/** Large file of a commit, which stores a pointer to it. */
export interface LargeFile extends LfsPointer {
  /** Bytes of the pointer. */
  readonly pointerSize: number
  /** Hash of its chunks, if it came by Xet. */
  readonly xetHash?: string
}

/** Finds the large file that a file of a commit points to; `undefined` for an ordinary file. */
export type FindLarge = (file: Pick<PathEntry, 'type' | 'oid' | 'size'>) => LargeFile | undefined

/** Bytes of the shortest possible pointer. */
const shortestPointer = 120
/** Cached for good, since a git object never changes. */
const pointers = new WeakMap<ObjectStore, Map<string, LfsPointer | undefined>>()
const mostKnown = 100_000

/**
 * Finds large files by their pointers, regardless of `.gitattributes`. A pointer to an object that was not uploaded to
 * this repo is an ordinary file.
 */
export function largeFilesOf(deps: Pick<HubDeps, 'state' | 'objects'>, repo: Repo): FindLarge {
  if (!hasLargeFiles(deps, repo)) return () => undefined
  const objects = deps.objects.of(repo)
  return ({ type, oid, size }) => {
    if (type !== 'file' || size < shortestPointer || size >= pointerLimit) return undefined
    const pointer = readPointer(objects, oid)
    if (pointer === undefined || !mayReferTo(deps, repo, pointer)) return undefined
    const xetHash = deps.objects.lfs.xetFile(pointer.oid)?.hash
    return { ...pointer, pointerSize: size, ...(xetHash === undefined ? {} : { xetHash }) }
  }
}

/** Checks whether a repo has large files at all; without any, no pointer has to be read. */
export function hasLargeFiles({ state }: Pick<HubDeps, 'state'>, { id }: Repo): boolean {
  return state.lfsFiles.groupSize('repo', id) > 0
}

function readPointer(objects: ObjectStore, oid: string): LfsPointer | undefined {
  let known = pointers.get(objects)
  if (known === undefined || known.size > mostKnown) pointers.set(objects, (known = new Map()))
  if (!known.has(oid)) known.set(oid, parseLfsPointer(readBlob(objects, oid)))
  return known.get(oid)
}
