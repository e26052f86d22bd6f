import type { Commit } from '../state/entities/hub.ts'
import { type ObjectStore, readCommit } from './git-objects.ts'

/**
 * A commit and all before it, each once: newest first, and no commit before its children, also
 * where dates run backwards (the order of `git log --date-order`).
 */
export function listCommits(objects: ObjectStore, headId: string): Commit[] {
  const reachable = collectAncestors(objects, [headId])
  const waitingChildren = new Map<string, number>()
  for (const { parentIds } of reachable.values()) {
    for (const id of parentIds) waitingChildren.set(id, (waitingChildren.get(id) ?? 0) + 1)
  }
  const commits: Commit[] = []
  const ready = [readCommit(objects, headId)]
  for (let next = takeNewest(ready); next !== undefined; next = takeNewest(ready)) {
    commits.push(next)
    for (const id of next.parentIds) {
      const left = (waitingChildren.get(id) ?? 0) - 1
      waitingChildren.set(id, left)
      if (left === 0) ready.push(readCommit(objects, id))
    }
  }
  return commits
}

/** The commits and everything they build on, by id. */
export function collectAncestors(
  objects: ObjectStore,
  startIds: Iterable<string>,
): Map<string, Commit> {
  const seen = new Map<string, Commit>()
  const open = [...startIds]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue
    const commit = readCommit(objects, id)
    seen.set(id, commit)
    open.push(...commit.parentIds)
  }
  return seen
}

export function isAncestor(objects: ObjectStore, ancestorId: string, id: string): boolean {
  return collectAncestors(objects, [id]).has(ancestorId)
}

/**
 * The newest commit that two commits have in common.
 * @returns `undefined` for unrelated histories
 */
export function findMergeBase(objects: ObjectStore, a: string, b: string): Commit | undefined {
  const ancestors = collectAncestors(objects, [a])
  return listCommits(objects, b).find(({ id }) => ancestors.has(id))
}

function takeNewest(commits: Commit[]): Commit | undefined {
  let newest = 0
  for (const [index, { date }] of commits.entries()) {
    if (date > (commits[newest]?.date ?? date)) newest = index
  }
  return commits.splice(newest, 1)[0]
}
