import type { TreeEntryResponse } from '../../contract/hub-files.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Commit, ObjectStore } from './git-objects.ts'
import type { FindLarge, LargeFile } from './lfs-files.ts'
import { lastCommits } from './last-commits.ts'
import { invalidCursor } from './pages-of-commit.ts'
import { listTree, type PathEntry } from './trees.ts'

/**
 * Returns a page of the entries of a folder: all folders first, then the files.
 * @param input `after`: path of the last entry of the page before; absent = from the first entry
 * @returns `last`: path of the last entry, unless no page follows
 * @throws {Refusal} `invalid` when the folder has no entry `after`
 */
export function pageOfTree(
  objects: ObjectStore,
  input: {
    folder: Pick<PathEntry, 'oid' | 'path'>
    recursive: boolean
    limit: number
    after?: string | undefined
  },
): { entries: PathEntry[]; last?: string } {
  const { folder, recursive, limit, after } = input
  const entries: PathEntry[] = []
  let isReached = after === undefined
  for (const entry of foldersThenFiles(objects, folder, recursive)) {
    if (!isReached) {
      isReached = entry.path === after
      continue
    }
    if (entries.length === limit) return { entries, last: entries.at(-1)?.path ?? '' }
    entries.push(entry)
  }
  if (!isReached) throw invalidCursor(`there is no ${after} in this folder`)
  return { entries }
}

/** Lists a folder, all folders before the files. */
export function* foldersThenFiles(
  objects: ObjectStore,
  folder: Pick<PathEntry, 'oid' | 'path'>,
  recursive: boolean,
): Generator<PathEntry> {
  yield* listTree(objects, folder, recursive, (type) => type === 'directory')
  yield* listTree(objects, folder, recursive, (type) => type !== 'directory')
}

/** Describes entries of a commit as the hub does; `expand` adds the last commit of each. */
export function describeEntries(
  { objects, findLarge }: { objects: ObjectStore; findLarge: FindLarge },
  commit: Commit,
  entries: readonly PathEntry[],
  expand: boolean,
): TreeEntryResponse[] {
  const paths = entries.map(({ path }) => path)
  const last = expand ? lastCommits(objects, commit.id, paths) : new Map<string, Commit>()
  const described: TreeEntryResponse[] = []
  for (const entry of entries) {
    const { type, oid, path } = entry
    const large = findLarge(entry)
    const { xetHash, ...lfs } = large ?? {}
    described.push({
      type,
      oid,
      size: large?.size ?? entry.size,
      path,
      ...(large && { lfs: lfs as Omit<LargeFile, 'xetHash'> }),
      ...omitUndefined({ xetHash }),
      ...describeLast(last.get(path)),
    })
  }
  return described
}

function describeLast(commit: Commit | undefined): Pick<TreeEntryResponse, 'lastCommit'> {
  if (commit === undefined) return {}
  const { id, title, date } = commit
  return { lastCommit: { id, title, date: isoTime(date) } }
}
