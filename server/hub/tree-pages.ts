import type { TreeEntryAnswer } from '../contract/hub-files.ts'
import { isoTime } from '../core/time.ts'
import type { Commit, ObjectStore } from './git-objects.ts'
import type { FindLarge } from './lfs-files.ts'
import { lastCommits } from './last-commits.ts'
import type { PageStart } from './pages-of-commit.ts'
import { listTree, type PathEntry } from './trees.ts'

/**
 * A page of what a folder of a commit holds.
 * @param input `offset`: how many entries the pages before have had
 * @returns `next` unless it is the last page
 */
export function pageOfTree(
  objects: ObjectStore,
  input: {
    commit: Commit
    folder: Pick<PathEntry, 'oid' | 'path'>
    recursive: boolean
    limit: number
    offset: number
  },
): { entries: PathEntry[]; next?: PageStart } {
  const { commit, folder, recursive, limit, offset } = input
  const entries: PathEntry[] = []
  let count = 0
  for (const entry of listTree(objects, folder, recursive)) {
    if (count++ < offset) continue
    if (entries.length === limit) {
      return { entries, next: { commitId: commit.id, offset: offset + limit } }
    }
    entries.push(entry)
  }
  return { entries }
}

/** Entries of a commit as the hub tells them, on request with the last commit of each. */
export function describeEntries(
  { objects, findLarge }: { objects: ObjectStore; findLarge: FindLarge },
  commit: Commit,
  entries: readonly PathEntry[],
  expand: boolean,
): TreeEntryAnswer[] {
  const paths = entries.map(({ path }) => path)
  const last = expand ? lastCommits(objects, commit.id, paths) : new Map<string, Commit>()
  return entries.map((entry) => {
    const { type, oid, path } = entry
    const lfs = findLarge(entry)
    return {
      type,
      oid,
      size: lfs?.size ?? entry.size,
      path,
      ...(lfs && { lfs }),
      ...describeLast(last.get(path)),
    }
  })
}

function describeLast(commit: Commit | undefined): Pick<TreeEntryAnswer, 'lastCommit'> {
  if (commit === undefined) return {}
  const { id, title, date } = commit
  return { lastCommit: { id, title, date: isoTime(date) } }
}
