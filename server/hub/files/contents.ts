import type { Conclusion } from '../../store/objects/object-store.ts'
import type { ObjectStore } from './git-objects.ts'
import { listTree, type PathEntry } from './trees.ts'

// Facts that follow from the tree of a commit. Every response about a repo has them, so they are computed once.

/** File of a commit without its size. */
export type NamedFile = Pick<PathEntry, 'path' | 'type' | 'oid'>

/**
 * Limit of `siblings` in a repo's description. The hub has such a limit too; clients that see more than 50,000 files list
 * the folders page by page.
 */
export const mostNamedFiles = 60_000

/** Estimated memory of one, with its path. */
const bytesOfNamedFile = 250

const contents: Conclusion<readonly NamedFile[]> = {
  name: 'contents',
  sizeOf: (files) => files.length * bytesOfNamedFile,
}

const storages: Conclusion<{ readonly bytes: number }> = { name: 'storage', sizeOf: () => 50 }

/** Returns the first {@link mostNamedFiles} files of a commit, in git's order. @param treeId of the commit */
export function contentsOf(objects: ObjectStore, treeId: string): readonly NamedFile[] {
  const known = objects.recall(contents, treeId)
  if (known !== undefined) return known
  const files: NamedFile[] = []
  for (const { path, type, oid } of filesOf(objects, treeId)) {
    if (files.push({ path, type, oid }) === mostNamedFiles) break
  }
  objects.remember(contents, treeId, files)
  return files
}

/** Returns the size in bytes of all files of a commit, as git stores them. @param treeId of the commit */
export function bytesOfContents(objects: ObjectStore, treeId: string): number {
  const known = objects.recall(storages, treeId)
  if (known !== undefined) return known.bytes
  let bytes = 0
  for (const { size } of filesOf(objects, treeId)) bytes += size
  objects.remember(storages, treeId, { bytes })
  return bytes
}

/** Walks the files one by one, so that few are in memory at a time. */
export function* filesOf(objects: ObjectStore, treeId: string): Generator<PathEntry> {
  for (const entry of listTree(objects, { oid: treeId, path: '' }, true)) {
    if (entry.type === 'file') yield entry
  }
}
