import type { Conclusion } from '../objects/object-store.ts'
import type { ObjectStore } from './git-objects.ts'
import { listFiles, type PathEntry } from './trees.ts'

// What follows from the folder of a commit alone. Every answer about a repo tells it, so it is found out once.

/** A file of a commit; its size is asked of the objects. */
export type NamedFile = Pick<PathEntry, 'path' | 'type' | 'oid'>

/** About, with its path. */
const bytesOfNamedFile = 250

const contents: Conclusion<readonly NamedFile[]> = {
  name: 'contents',
  sizeOf: (files) => files.length * bytesOfNamedFile,
}

const storages: Conclusion<{ readonly bytes: number }> = { name: 'storage', sizeOf: () => 50 }

/** All files of a commit, in git's order. @param treeId of the commit */
export function contentsOf(objects: ObjectStore, treeId: string): readonly NamedFile[] {
  const known = objects.recall(contents, treeId)
  if (known !== undefined) return known
  const files = Array.from(listFiles(objects, treeId).values(), ({ path, type, oid }) => ({
    path,
    type,
    oid,
  }))
  objects.remember(contents, treeId, files)
  return files
}

/** Bytes of all files of a commit, as git has them. @param treeId of the commit */
export function bytesOfContents(objects: ObjectStore, treeId: string): number {
  const known = objects.recall(storages, treeId)
  if (known !== undefined) return known.bytes
  let bytes = 0
  for (const { oid } of contentsOf(objects, treeId)) bytes += objects.size(oid)
  objects.remember(storages, treeId, { bytes })
  return bytes
}
