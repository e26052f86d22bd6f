import type { BucketFile } from '../../store/entities/hub-entities.ts'

/** File, or folder that the paths of files imply. */
export type BucketEntry =
  | { readonly type: 'file'; readonly file: BucketFile }
  | { readonly type: 'directory'; readonly path: string; readonly uploadedAt: number }

/**
 * Lists what begins with a prefix. As in other object stores it is a beginning of paths, not a folder: `logs` lists
 * `logs/a` and `logs.txt`. Directories are listed only without `recursive`.
 * @param files ordered by path
 */
export function* listEntries(
  files: readonly BucketFile[],
  { prefix, recursive }: { prefix: string; recursive: boolean },
): Generator<BucketEntry> {
  let folder: { path: string; uploadedAt: number } | undefined
  for (const file of files) {
    const { path, uploadedAt } = file
    if (!path.startsWith(prefix)) continue
    const inFolder = recursive ? undefined : folderOf(path, prefix)
    if (folder !== undefined && folder.path !== inFolder) {
      yield { type: 'directory', ...folder }
      folder = undefined
    }
    if (inFolder === undefined) yield { type: 'file', file }
    else {
      const newest = Math.max(folder?.uploadedAt ?? 0, uploadedAt)
      folder = { path: inFolder, uploadedAt: newest }
    }
  }
  if (folder !== undefined) yield { type: 'directory', ...folder }
}

/** Order of a list. */
export interface EntryOrder {
  readonly sort: 'path' | 'uploadedAt'
  readonly direction: 'asc' | 'desc'
}

/** Place of an entry in every order. */
export interface EntryPlace {
  /** A folder has a slash at its end, as the paths in it have one there. */
  readonly path: string
  readonly uploadedAt: number
}

/**
 * Returns a page of entries.
 * @param entries ordered by path
 * @param input `after`: `last` of the page before
 * @returns `last`: place of the last entry, unless no page follows
 */
export function pageOfEntries(
  entries: Iterable<BucketEntry>,
  { after, limit, order }: { after?: EntryPlace; limit: number; order: EntryOrder },
): { entries: BucketEntry[]; last?: EntryPlace } {
  const compare = comparison(order)
  const isUsual = order.sort === 'path' && order.direction === 'asc'
  const ordered = isUsual
    ? entries
    : [...entries].toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  const page: BucketEntry[] = []
  for (const entry of ordered) {
    if (after !== undefined && compare(placeOf(entry), after) <= 0) continue
    const last = page.at(-1)
    if (page.length === limit && last !== undefined) return { entries: page, last: placeOf(last) }
    page.push(entry)
  }
  return { entries: page }
}

/** Entries of the same time are in the order of their paths. */
function comparison({ sort, direction }: EntryOrder) {
  const sign = direction === 'asc' ? 1 : -1
  return (one: EntryPlace, other: EntryPlace): number => {
    const byTime = sort === 'uploadedAt' ? one.uploadedAt - other.uploadedAt : 0
    if (byTime !== 0) return sign * byTime
    if (one.path === other.path) return 0
    return one.path < other.path ? -sign : sign
  }
}

function placeOf(entry: BucketEntry): EntryPlace {
  if (entry.type === 'directory') {
    return { path: `${entry.path}/`, uploadedAt: entry.uploadedAt }
  }
  return { path: entry.file.path, uploadedAt: entry.file.uploadedAt }
}

/** Checks whether a prefix is a folder, or the whole bucket. */
export function isFolder(files: readonly BucketFile[], prefix: string): boolean {
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  return prefix === '' || files.some(({ path }) => path.startsWith(folder))
}

/** Returns the folder below a prefix that a path is in; `undefined` for a file directly below it. */
function folderOf(path: string, prefix: string): string | undefined {
  // A prefix that names a folder lists its contents, with or without a slash at its end.
  const start = path[prefix.length] === '/' ? prefix.length + 1 : prefix.length
  const slash = path.indexOf('/', start)
  return slash === -1 ? undefined : path.slice(0, slash)
}
