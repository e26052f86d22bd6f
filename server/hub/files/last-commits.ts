import type { Conclusion } from '../../store/objects/object-store.ts'
import { type Commit, type ObjectStore, readCommit, readTree } from './git-objects.ts'
import { findPath } from './trees.ts'

/** Ids of the last commits of entries in a folder, by name; incomplete. */
type LastOfNames = ReadonlyMap<string, string>

const lastOfFolders: Conclusion<LastOfNames> = {
  name: 'last commits',
  sizeOf: (names) => names.size * 250,
}

/**
 * Finds the last commit that changed each path, as `git log -1 -- PATH` does, along the first parent
 * that has the same content.
 * @param paths files and folders of the commit
 * @returns commits by path; unknown paths are left out
 */
export function lastCommits(
  objects: ObjectStore,
  headId: string,
  paths: readonly string[],
): Map<string, Commit> {
  const folders = byFolder(paths)
  const found = new Map<string, string>()
  const head = readCommit(objects, headId)
  const present = oidsOf(objects, head.treeId, folders)
  /** Paths that are not traced yet, by the commit that the search has reached. */
  const open = new Map([[headId, present]])
  for (const [id, oids] of open) {
    open.delete(id)
    let left = takeKnown(objects, id, oids, found)
    if (left.size === 0) continue
    const { parentIds, treeId } = readCommit(objects, id)
    for (const parentId of parentIds) {
      if (left.size === 0) break
      const parent = readCommit(objects, parentId)
      const { same, others } =
        parent.treeId === treeId
          ? { same: left, others: new Map<string, string>() }
          : compare(objects, parent.treeId, left)
      left = others
      if (same.size > 0) open.set(parentId, new Map([...(open.get(parentId) ?? []), ...same]))
    }
    for (const path of left.keys()) found.set(path, id)
  }
  rememberAll(objects, headId, folders, found)
  return new Map(Array.from(found, ([path, id]) => [path, readCommit(objects, id)]))
}

/** Adds cached results of this commit. @returns the paths that are left */
function takeKnown(
  objects: ObjectStore,
  commitId: string,
  oids: Oids,
  found: Map<string, string>,
): Oids {
  const left: Oids = new Map(oids)
  for (const [folder, paths] of byFolder(oids.keys())) {
    const known = objects.recall(lastOfFolders, keyOf(commitId, folder))
    if (known === undefined) continue
    for (const path of paths) {
      const id = known.get(nameOf(path))
      if (id === undefined) continue
      found.set(path, id)
      left.delete(path)
    }
  }
  return left
}

function rememberAll(
  objects: ObjectStore,
  commitId: string,
  folders: Map<string, Set<string>>,
  found: ReadonlyMap<string, string>,
): void {
  for (const [folder, paths] of folders) {
    const key = keyOf(commitId, folder)
    const known = objects.recall(lastOfFolders, key)
    const names = new Map(known)
    for (const path of paths) {
      const id = found.get(path)
      if (id !== undefined) names.set(nameOf(path), id)
    }
    if (names.size > (known?.size ?? 0)) objects.remember(lastOfFolders, key, names)
  }
}

function keyOf(commitId: string, folder: string): string {
  return `${commitId} ${folder}`
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

type Oids = Map<string, string>

function compare(objects: ObjectStore, treeId: string, oids: Oids): { same: Oids; others: Oids } {
  const there = oidsOf(objects, treeId, byFolder(oids.keys()))
  const [same, others]: [Oids, Oids] = [new Map(), new Map()]
  for (const [path, oid] of oids) (there.get(path) === oid ? same : others).set(path, oid)
  return { same, others }
}

/** Returns object ids by path; reads each folder once. */
function oidsOf(objects: ObjectStore, treeId: string, folders: Map<string, Set<string>>): Oids {
  const oids: Oids = new Map()
  for (const [folder, paths] of folders) {
    const tree = findPath(objects, treeId, folder)
    if (tree?.type !== 'directory') continue
    const prefix = folder === '' ? '' : `${folder}/`
    for (const { name, oid } of readTree(objects, tree.oid).entries) {
      const path = prefix + name
      if (paths.has(path)) oids.set(path, oid)
    }
  }
  return oids
}

function byFolder(paths: Iterable<string>): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const path of paths) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    folders.set(folder, (folders.get(folder) ?? new Set()).add(path))
  }
  return folders
}
