import type { Repo } from '../../state/entities/hub.ts'
import { type ObjectStore, readBlob } from './git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { type LfsPointer, mayReferTo, parseLfsPointer, pointerLimit } from './lfs-objects.ts'
import type { PathEntry } from './trees.ts'

/** A large file of a commit, which has a pointer in its place. */
export interface LargeFile extends LfsPointer {
  /** Of the pointer, in bytes. */
  readonly pointerSize: number
}

/** Tells what a file of a commit stands for: `undefined` when it is nothing but itself. */
export type FindLarge = (file: Pick<PathEntry, 'type' | 'oid' | 'size'>) => LargeFile | undefined

/** No pointer is shorter. */
const shortestPointer = 120
/** A content of git never changes: what was found out of one stays true. */
const pointers = new WeakMap<ObjectStore, Map<string, LfsPointer | undefined>>()
const mostKnown = 100_000

/**
 * Finds large files by the pointers in their places, whatever `.gitattributes` says. A pointer to what the repo may not
 * refer to is a small file like any other.
 */
export function largeFilesOf(deps: Pick<HubDeps, 'state' | 'objects'>, repo: Repo): FindLarge {
  if (!hasLargeFiles(deps, repo)) return () => undefined
  const objects = deps.objects.of(repo)
  return ({ type, oid, size }) => {
    if (type !== 'file' || size < shortestPointer || size >= pointerLimit) return undefined
    const pointer = readPointer(objects, oid)
    if (pointer === undefined || !mayReferTo(deps, repo, pointer)) return undefined
    return { ...pointer, pointerSize: size }
  }
}

/** Most repos have none: nothing of theirs has to be read. */
export function hasLargeFiles({ state }: Pick<HubDeps, 'state'>, { id }: Repo): boolean {
  return state.lfsFiles.groupSize('repo', id) > 0
}

function readPointer(objects: ObjectStore, oid: string): LfsPointer | undefined {
  let known = pointers.get(objects)
  if (known === undefined || known.size > mostKnown) pointers.set(objects, (known = new Map()))
  if (!known.has(oid)) known.set(oid, parseLfsPointer(readBlob(objects, oid)))
  return known.get(oid)
}
