import { parseTag } from './commit-codec.ts'
import type { ObjectStore } from './object-store.ts'

/** Checks whether an object is skipped with all that it needs. */
type IsLeftOut = (id: string, type: 'commit' | 'tree') => boolean

/** Lists commits and tags with all objects that they need, each once. */
export function* reachable(
  objects: ObjectStore,
  ids: Iterable<string>,
  isLeftOut: IsLeftOut = () => false,
): Generator<string, void, undefined> {
  const walk = { objects, isLeftOut, seen: new Set<string>() }
  // Iterating a set includes values that are added meanwhile.
  const commits = new Set<string>()
  const tags = new Set<string>()
  for (const id of ids) commits.add(behindTags(objects, id, tags))
  for (const id of commits) {
    if (isLeftOut(id, 'commit')) continue
    const { treeId, parentIds } = objects.readCommit(id)
    yield* below(walk, treeId)
    yield id
    for (const parentId of parentIds) commits.add(parentId)
  }
  yield* [...tags].toReversed()
}

/** @param tags collects the tags on the way to the target, the outer one first */
function behindTags(objects: ObjectStore, id: string, tags: Set<string>): string {
  for (let current = id; ;) {
    const { type, content } = objects.read(current)
    if (type !== 'tag') return current
    tags.add(current)
    current = parseTag(content).objectId
  }
}

interface Walk {
  readonly objects: ObjectStore
  readonly isLeftOut: IsLeftOut
  readonly seen: Set<string>
}

function* below({ objects, seen, isLeftOut }: Walk, root: string): Generator<string> {
  const enter = (id: string) => {
    if (seen.has(id) || isLeftOut(id, 'tree')) return []
    seen.add(id)
    return [{ id, children: objects.readTree(id).values() }]
  }
  // Without recursion: each object would be passed through all its parent folders.
  const open = enter(root)
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const { done, value: entry } = level.children.next()
    if (done === true) {
      open.pop()
      yield level.id
    } else if (entry.type === 'directory') open.push(...enter(entry.oid))
    else if (entry.type === 'file' && !seen.has(entry.oid)) {
      seen.add(entry.oid)
      yield entry.oid
    }
  }
}

/** Copies reachable objects, each after those that it needs. */
export function copyReachable(
  from: ObjectStore,
  to: ObjectStore,
  commitIds: Iterable<string>,
): void {
  for (const id of reachable(from, commitIds)) {
    const { type, content } = from.read(id)
    // It keeps an object that is there, unless that is damaged.
    to.write(type, content)
  }
}
