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

/**
 * Returns a page of entries.
 * @param input `after`: `last` of the page before
 * @returns `last`: place of the last entry, unless no page follows
 */
export function pageOfEntries(
  entries: Iterable<BucketEntry>,
  { after, limit }: { after?: string; limit: number },
): { entries: BucketEntry[]; last?: string } {
  const page: BucketEntry[] = []
  for (const entry of entries) {
    if (after !== undefined && placeOf(entry) <= after) continue
    const last = page.at(-1)
    if (page.length === limit && last !== undefined) return { entries: page, last: placeOf(last) }
    page.push(entry)
  }
  return { entries: page }
}

/** Returns the place of an entry in the order of paths: a folder has a slash, as the paths in it do. */
function placeOf(entry: BucketEntry): string {
  return entry.type === 'file' ? entry.file.path : `${entry.path}/`
}

/** Returns the folder below a prefix that a path is in; `undefined` for a file directly below it. */
function folderOf(path: string, prefix: string): string | undefined {
  // A prefix that names a folder lists its contents, with or without a slash at its end.
  const start = path[prefix.length] === '/' ? prefix.length + 1 : prefix.length
  const slash = path.indexOf('/', start)
  return slash === -1 ? undefined : path.slice(0, slash)
}
