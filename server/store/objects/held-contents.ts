import { isObject } from '../../core/is-object.ts'
import { parseTag } from './commit-codec.ts'
import type { ObjectStore } from './object-store.ts'
import type { TreeEntry } from './tree-codec.ts'

/** Returns the targets of the refs of a repo as it is stored; none for anything else. */
export function refTargets(repo: unknown): string[] {
  const refs = isObject(repo) ? repo['refs'] : undefined
  return isObject(refs) ? Object.values(refs).filter((id) => typeof id === 'string') : []
}

/** Lists what refs bring: their objects, without those of known commits and those that a parent has at the same place. */
export function* newObjects(
  objects: ObjectStore,
  targets: readonly string[],
  known: ReadonlySet<string>,
): Generator<string, void, undefined> {
  // Iterating a set includes values that are added meanwhile.
  const commits = new Set(targets)
  for (const id of commits) {
    if (known.has(id)) continue
    yield id
    const { type, content } = objects.read(id)
    if (type === 'tag') commits.add(parseTag(content).objectId)
    if (type !== 'commit') continue
    const { treeId, parentIds } = objects.readCommit(id)
    const [parent] = parentIds
    const oldTree = parent === undefined ? undefined : objects.readCommit(parent).treeId
    yield* newEntries(objects, treeId, oldTree)
    for (const parentId of parentIds) commits.add(parentId)
  }
}

function* newEntries(
  objects: ObjectStore,
  treeId: string,
  oldTree: string | undefined,
): Generator<string, void, undefined> {
  if (treeId === oldTree) return
  yield treeId
  const old = new Map<string, TreeEntry>()
  if (oldTree !== undefined)
    for (const entry of objects.readTree(oldTree)) old.set(entry.name, entry)
  for (const { name, type, oid } of objects.readTree(treeId)) {
    const before = old.get(name)
    if (oid === before?.oid) continue
    if (type === 'file') yield oid
    else if (type === 'directory') {
      yield* newEntries(objects, oid, before?.type === 'directory' ? before.oid : undefined)
    }
  }
}
