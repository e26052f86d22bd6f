import { insertSorted } from '../../core/insert-sorted.ts'
import type { Conclusion } from '../../store/objects/object-store.ts'
import { type Commit, type ObjectStore, readCommit } from './git-objects.ts'

/** Commit and a link to those before it; histories share links where each commit has one parent. */
interface Link {
  readonly id: string
  readonly rest: Link | undefined
  /** Number of commits including this one. */
  readonly length: number
}

/** A page with longer messages ends early. */
const mostPageCharacters = 2 * 1024 * 1024

interface History {
  readonly newest: Link
  /** Number of links created for it; the rest is shared with another history. */
  readonly made: number
}

const histories: Conclusion<History> = { name: 'history', sizeOf: ({ made }) => made * 100 }

/**
 * Lists a commit and its ancestors, each once: newest first, and no commit before its children, even where dates run
 * backwards (the order of `git log --date-order`).
 */
export function* listCommits(objects: ObjectStore, headId: string): Generator<Commit> {
  for (const id of listCommitIds(objects, headId)) yield readCommit(objects, id)
}

/** The ids of {@link listCommits}. */
export function listCommitIds(objects: ObjectStore, headId: string): string[] {
  return Array.from(linksFrom(findHistory(objects, headId)), ({ id }) => id)
}

/**
 * Returns a page of {@link listCommits}.
 * @returns the page and the total
 */
export function pageOfCommits(
  objects: ObjectStore,
  headId: string,
  { offset, limit }: { offset: number; limit: number },
): { commits: Commit[]; total: number } {
  const newest = findHistory(objects, headId)
  const commits: Commit[] = []
  let [index, characters] = [0, 0]
  for (const { id } of linksFrom(newest)) {
    if (index >= offset + limit || characters > mostPageCharacters) break
    if (index++ < offset) continue
    const commit = readCommit(objects, id)
    commits.push(commit)
    characters += commit.message.length
  }
  return { commits, total: newest.length }
}

function* linksFrom(newest: Link): Generator<Link> {
  for (let link: Link | undefined = newest; link !== undefined; link = link.rest) yield link
}

/** Builds the history of a commit, reusing the cached histories of its ancestors. */
function findHistory(objects: ObjectStore, headId: string): Link {
  const known = objects.recall(histories, headId)
  if (known !== undefined) return known.newest
  let ids: string[] = []
  let rest: Link | undefined
  for (let id: string | undefined = headId; id !== undefined && rest === undefined;) {
    const parentIds: readonly string[] = readCommit(objects, id).parentIds
    if (parentIds.length > 1) {
      // Where histories meet, dates decide the order of all earlier commits.
      ids = [...ids, ...orderAncestors(objects, id)]
      break
    }
    ids.push(id)
    id = parentIds[0]
    rest = id === undefined ? undefined : objects.recall(histories, id)?.newest
  }
  const newest = link(ids.slice(1).reduceRight(link, rest), headId)
  objects.remember(histories, headId, { newest, made: ids.length })
  return newest
}

function link(rest: Link | undefined, id: string): Link {
  return { id, rest, length: (rest?.length ?? 0) + 1 }
}

const newestFirst = (a: Commit, b: Commit) => b.date - a.date

/** @returns ids, that of the head first */
function orderAncestors(objects: ObjectStore, headId: string): string[] {
  const waitingChildren = new Map<string, number>()
  for (const { parentIds } of walkAncestors(objects, [headId])) {
    for (const id of parentIds) waitingChildren.set(id, (waitingChildren.get(id) ?? 0) + 1)
  }
  const ids: string[] = []
  const ready = [readCommit(objects, headId)]
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    ids.push(next.id)
    for (const id of next.parentIds) {
      const left = (waitingChildren.get(id) ?? 0) - 1
      waitingChildren.set(id, left)
      if (left === 0) insertSorted(ready, readCommit(objects, id), newestFirst)
    }
  }
  return ids
}

/** Walks the commits and all their ancestors, each once, nearest first. */
export function* walkAncestors(
  objects: ObjectStore,
  startIds: Iterable<string>,
): Generator<Commit> {
  // Iterating a set includes elements that are added meanwhile.
  const ids = new Set(startIds)
  for (const id of ids) {
    const commit = readCommit(objects, id)
    yield commit
    for (const parentId of commit.parentIds) ids.add(parentId)
  }
}

/** Bits of {@link findMergeBase}: the starting points that reach a commit, and whether a common ancestor does. */
const [fromA, fromB, isOlder] = [1, 2, 4]
const fromBoth = fromA | fromB

/**
 * Finds a common ancestor of two commits that is not an ancestor of another one, the newest if there are several. As in git,
 * both histories are walked back together, by date; the walk ends when all that is left is older than common ancestors.
 * @returns `undefined` for unrelated histories
 */
export function findMergeBase(objects: ObjectStore, a: string, b: string): Commit | undefined {
  const marks = new Map([[a, fromA]])
  marks.set(b, (marks.get(b) ?? 0) | fromB)
  const markOf = ({ id }: Commit) => marks.get(id) ?? 0
  const open = Array.from(marks.keys(), (id) => readCommit(objects, id)).toSorted(newestFirst)
  const common = new Map<string, Commit>()
  while (open.some((commit) => (markOf(commit) & isOlder) === 0)) {
    const next = open.shift()
    if (next === undefined) break
    const own = markOf(next)
    const isCommon = (own & fromBoth) === fromBoth
    if (isCommon) common.set(next.id, next)
    const passed = isCommon ? own | isOlder : own
    for (const parentId of next.parentIds) {
      const known = marks.get(parentId) ?? 0
      if ((known | passed) === known) continue
      marks.set(parentId, known | passed)
      // A commit may be visited again: where dates are equal or run backwards, a parent can come first.
      insertSorted(open, readCommit(objects, parentId), newestFirst)
    }
  }
  const found = [...common.values()].filter((commit) => (markOf(commit) & isOlder) === 0)
  if (found.length < 2) return found[0]
  // Where dates run backwards, the walk may have ended before it came from one to another.
  const older = new Set<string>()
  for (const { parentIds } of found) {
    for (const { id } of walkAncestors(objects, parentIds)) older.add(id)
  }
  return found.filter(({ id }) => !older.has(id)).toSorted(newestFirst)[0]
}
