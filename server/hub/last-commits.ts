import { type Commit, type ObjectStore, readCommit, readTree } from './git-objects.ts'
import { findPath } from './trees.ts'

/**
 * The commit that gave each path what it holds: as `git log -1 -- PATH` finds it, along the first parent that has the
 * same.
 * @param paths files and folders of the commit
 * @returns by path; one that the commit has not is left out
 */
export function lastCommits(
  objects: ObjectStore,
  headId: string,
  paths: readonly string[],
): Map<string, Commit> {
  const found = new Map<string, Commit>()
  const head = readCommit(objects, headId)
  const present = oidsOf(objects, head.treeId, byFolder(paths))
  /** What is not traced yet, by the commit it was traced back to. A path is under one commit at a time. */
  const open = new Map([[headId, present]])
  for (const [id, oids] of open) {
    open.delete(id)
    const commit = readCommit(objects, id)
    let left = oids
    for (const parentId of commit.parentIds) {
      if (left.size === 0) break
      const { same, others } = compare(objects, readCommit(objects, parentId).treeId, left)
      left = others
      if (same.size > 0) open.set(parentId, new Map([...(open.get(parentId) ?? []), ...same]))
    }
    for (const path of left.keys()) found.set(path, commit)
  }
  return found
}

type Oids = Map<string, string>

function compare(objects: ObjectStore, treeId: string, oids: Oids): { same: Oids; others: Oids } {
  const there = oidsOf(objects, treeId, byFolder(oids.keys()))
  const [same, others]: [Oids, Oids] = [new Map(), new Map()]
  for (const [path, oid] of oids) (there.get(path) === oid ? same : others).set(path, oid)
  return { same, others }
}

/** Each folder is read once, however many of its files are asked for. */
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
