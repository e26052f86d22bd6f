import { type Commit, type ObjectStore, readCommit } from './git-objects.ts'

/**
 * A commit and all before it, each once: newest first, and no commit before its children, also
 * where dates run backwards (the order of `git log --date-order`).
 */
export function listCommits(objects: ObjectStore, headId: string): Commit[] {
  const waitingChildren = new Map<string, number>()
  for (const { parentIds } of walkAncestors(objects, [headId])) {
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

/** The commits and everything they build on, each once, nearest first. */
export function* walkAncestors(
  objects: ObjectStore,
  startIds: Iterable<string>,
): Generator<Commit> {
  // A set also takes what is added while it is walked.
  const ids = new Set(startIds)
  for (const id of ids) {
    const commit = readCommit(objects, id)
    yield commit
    for (const parentId of commit.parentIds) ids.add(parentId)
  }
}

const fromBoth = 3

/**
 * The newest commit that two commits have in common. As in git, both histories are walked back at
 * once, by date, and no further than to where they meet.
 * @returns `undefined` for unrelated histories
 */
export function findMergeBase(objects: ObjectStore, a: string, b: string): Commit | undefined {
  /** Which of the two lead to a commit: 1, 2, or both. */
  const origins = new Map([[a, 1]])
  origins.set(b, (origins.get(b) ?? 0) | 2)
  const open = [...origins.keys()].map((id) => readCommit(objects, id))
  for (let next = takeNewest(open); next !== undefined; next = takeNewest(open)) {
    const origin = origins.get(next.id) ?? 0
    if (origin === fromBoth) return next
    for (const parentId of next.parentIds) {
      const known = origins.get(parentId) ?? 0
      if ((known | origin) === known) continue
      origins.set(parentId, known | origin)
      // Also a commit looked at before: where dates run backwards, a parent can come first.
      open.push(readCommit(objects, parentId))
    }
  }
  return undefined
}

function takeNewest(commits: Commit[]): Commit | undefined {
  let newest = 0
  for (const [index, { date }] of commits.entries()) {
    if (date > (commits[newest]?.date ?? date)) newest = index
  }
  return commits.splice(newest, 1)[0]
}
