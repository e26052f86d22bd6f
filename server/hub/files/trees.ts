import { Refusal } from '../../core/refusal.ts'
import { treeBytes, treeEntry, type TreeMode } from '../../store/objects/tree-codec.ts'
import { type ObjectStore, readTree, type Tree, type TreeEntry, writeTree } from './git-objects.ts'

export interface TreeFile {
  readonly oid: string
  /** Absent = the file's present mode, or a plain file. */
  readonly mode?: TreeMode
}

/** File or folder with its whole path. */
export interface PathEntry extends Omit<TreeEntry, 'name'> {
  readonly path: string
  /** Bytes of a file, looked up on access; 0 for other types. */
  readonly size: number
}

export interface TreeDifference {
  added: string[]
  modified: string[]
  deleted: string[]
}

/** A file is in the place of a new folder, or a folder in the place of a new file. */
export class PathConflictError extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is a file in one place and a folder in the other`)
    this.name = 'PathConflictError'
    this.path = path
  }
}

/** Bytes of a folder in git's format: finding one of its files needs all of it. About 100,000 files. */
export const mostFolderBytes = 4 * 1024 * 1024

/**
 * Applies changes to a tree, folder by folder, and writes only the changed folders. A folder without files disappears.
 * @param changes path to its new content, or null to delete it
 * @returns the new root
 * @throws {PathConflictError}
 * @throws {Refusal} `unprocessable` for a folder over {@link mostFolderBytes}
 */
export function editTree(
  objects: ObjectStore,
  root: string | undefined,
  changes: ReadonlyMap<string, TreeFile | null>,
): Tree {
  // Not recursive: a path may have thousands of folders.
  const outers: OpenFolder[] = []
  let folder = openFolder(objects, root, changes, { name: '', prefix: '' })
  for (;;) {
    const { entries, name, prefix } = folder
    const { done, value: next } = folder.nested.next()
    if (done !== true) {
      const [inner, below] = next
      const entry = entries.get(inner)
      if (entry !== undefined && entry.type !== 'directory') {
        throw new PathConflictError(prefix + inner)
      }
      outers.push(folder)
      const place = { name: inner, prefix: `${prefix}${inner}/` }
      folder = openFolder(objects, entry?.oid, below, place)
      continue
    }
    placeFiles(folder)
    const inside = [...entries.values()]
    const outer = outers.pop()
    if (outer === undefined) return writeFolder(objects, inside, '')
    if (inside.length === 0) outer.entries.delete(name)
    else {
      const { id } = writeFolder(objects, inside, outer.prefix + name)
      outer.entries.set(name, treeEntry(name, '40000', id))
    }
    folder = outer
  }
}

/** Folder that is being changed. */
interface OpenFolder {
  readonly name: string
  /** Prefix of the paths in it. */
  readonly prefix: string
  readonly entries: Map<string, TreeEntry>
  readonly direct: BySegment['direct']
  /** Changed folders in it that are not open yet. */
  readonly nested: Iterator<readonly [string, ReadonlyMap<string, TreeFile | null>]>
}

function openFolder(
  objects: ObjectStore,
  treeId: string | undefined,
  changes: ReadonlyMap<string, TreeFile | null>,
  place: Pick<OpenFolder, 'name' | 'prefix'>,
): OpenFolder {
  const before = treeId === undefined ? [] : readTree(objects, treeId).entries
  const entries = new Map(before.map((entry) => [entry.name, entry]))
  const { direct, nested } = byFirstSegment(changes)
  // Deletions come first: a folder may take the name of a deleted file, or the reverse.
  for (const [name, file] of direct) if (file === null) entries.delete(name)
  return { ...place, entries, direct, nested: nested.entries() }
}

function placeFiles({ prefix, entries, direct }: OpenFolder): void {
  for (const [name, file] of direct) {
    if (file === null) continue
    const entry = entries.get(name)
    if (entry?.type === 'directory') throw new PathConflictError(prefix + name)
    entries.set(name, treeEntry(name, file.mode ?? keptMode(entry), file.oid))
  }
}

function writeFolder(objects: ObjectStore, entries: readonly TreeEntry[], path: string): Tree {
  if (treeBytes(entries) <= mostFolderBytes) return writeTree(objects, entries)
  const folder = path === '' ? 'The root folder' : `The folder ${path}`
  throw new Refusal('unprocessable', `${folder} would have too many files`, {
    detail: `the names and ids of a folder are limited to ${mostFolderBytes} bytes, for a push too`,
  })
}

/** Returns the mode for new content: an executable file stays one; a link becomes a file. */
function keptMode(entry: TreeEntry | undefined): TreeMode {
  return entry?.mode === '100755' ? entry.mode : '100644'
}

interface BySegment {
  readonly direct: ReadonlyMap<string, TreeFile | null>
  readonly nested: ReadonlyMap<string, ReadonlyMap<string, TreeFile | null>>
}

function byFirstSegment(changes: ReadonlyMap<string, TreeFile | null>): BySegment {
  const direct = new Map<string, TreeFile | null>()
  const nested = new Map<string, Map<string, TreeFile | null>>()
  for (const [path, file] of changes) {
    const slash = path.indexOf('/')
    if (slash === -1) {
      direct.set(path, file)
      continue
    }
    const folder = path.slice(0, slash)
    const below = nested.get(folder) ?? new Map<string, TreeFile | null>()
    nested.set(folder, below.set(path.slice(slash + 1), file))
  }
  return { direct, nested }
}

/**
 * Finds the file or folder at a path; the empty path is the root.
 * @returns `undefined` for an unknown path
 */
export function findPath(objects: ObjectStore, root: string, path: string): PathEntry | undefined {
  let found = treeEntry('', '40000', root)
  let folder = ''
  for (const name of path === '' ? [] : path.split('/')) {
    if (found.type !== 'directory') return undefined
    const entry = readTree(objects, found.oid).entries.find((candidate) => candidate.name === name)
    if (entry === undefined) return undefined
    folder = join(folder, found.name)
    found = entry
  }
  return new FoundEntry(objects, folder, found)
}

/**
 * Finds many paths of one tree. Each folder is read once.
 * @returns the files and folders that exist, in the order of the paths
 */
export function findPaths(
  objects: ObjectStore,
  root: string,
  paths: Iterable<string>,
): PathEntry[] {
  const wanted = [...paths]
  const found = new Map<string, PathEntry>()
  /** Folders above the last path, the root first. Paths in order share them. */
  const open: { oid: string; entries: ReadonlyMap<string, TreeEntry> }[] = []
  for (const path of new Set(wanted.toSorted())) {
    const names = path === '' ? [] : path.split('/')
    let entry: TreeEntry | undefined = treeEntry('', '40000', root)
    for (const [depth, name] of names.entries()) {
      if (entry?.type !== 'directory') {
        entry = undefined
        break
      }
      let folder = open[depth]
      if (folder?.oid !== entry.oid) {
        folder = { oid: entry.oid, entries: entriesByName(objects, entry.oid) }
        open.splice(depth, Infinity, folder)
      }
      entry = folder.entries.get(name)
    }
    if (entry === undefined) continue
    found.set(path, new FoundEntry(objects, names.slice(0, -1).join('/'), entry))
  }
  return wanted.flatMap((path) => found.get(path) ?? [])
}

/** Entry at a path. A class, since object literals with a getter take ten times as long to create. */
class FoundEntry implements PathEntry {
  readonly path: string
  readonly type: TreeEntry['type']
  readonly mode: TreeEntry['mode']
  readonly oid: string
  readonly #objects: ObjectStore

  constructor(objects: ObjectStore, folder: string, { name, type, mode, oid }: TreeEntry) {
    this.path = join(folder, name)
    this.type = type
    this.mode = mode
    this.oid = oid
    this.#objects = objects
  }

  get size(): number {
    return this.type === 'file' ? this.#objects.size(this.oid) : 0
  }
}

/**
 * Lists a folder in git's order; with `recursive` each folder is followed by its content.
 * @param folder a tree id and the path it stands for
 * @param wanted leaves out entries of other types, not what is in them; default: all types
 */
export function* listTree(
  objects: ObjectStore,
  folder: { readonly oid: string; readonly path: string },
  recursive: boolean,
  wanted?: (type: PathEntry['type']) => boolean,
): Generator<PathEntry> {
  const enter = ({ oid, path }: { oid: string; path: string }) => ({
    path,
    children: readTree(objects, oid).entries.values(),
  })
  // Not recursive: each entry would pass through the generators of all its folders.
  const open = [enter(folder)]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const { done, value: child } = level.children.next()
    if (done === true) {
      open.pop()
      continue
    }
    const isEntered = recursive && child.type === 'directory'
    const isWanted = wanted === undefined || wanted(child.type)
    if (!isEntered && !isWanted) continue
    const entry = new FoundEntry(objects, level.path, child)
    if (isWanted) yield entry
    if (isEntered) open.push(enter(entry))
  }
}

/** Returns every file below a root by path. */
export function listFiles(objects: ObjectStore, root: string): Map<string, PathEntry> {
  const files = new Map<string, PathEntry>()
  for (const entry of listTree(objects, { oid: root, path: '' }, true)) {
    if (entry.type === 'file') files.set(entry.path, entry)
  }
  return files
}

/**
 * Returns the files that differ between two trees. Equal folders are skipped.
 * @param from absent = a tree without files
 */
export function diffTrees(
  objects: ObjectStore,
  from: string | undefined,
  to: string,
): TreeDifference {
  const difference: TreeDifference = { added: [], modified: [], deleted: [] }
  // Not recursive: a path may lead through thousands of folders.
  const open = from === to ? [] : [pairsOf(objects, from, to, '')]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const { done, value: pair } = level.next()
    if (done === true) {
      open.pop()
      continue
    }
    const { path, old, now } = pair
    const [oldFile, nowFile] = [fileOf(old), fileOf(now)]
    if (oldFile === undefined && nowFile !== undefined) difference.added.push(path)
    else if (oldFile !== undefined && nowFile === undefined) difference.deleted.push(path)
    else if (oldFile !== nowFile) difference.modified.push(path)
    const [oldFolder, nowFolder] = [folderOf(old), folderOf(now)]
    if (oldFolder !== nowFolder) open.push(pairsOf(objects, oldFolder, nowFolder, `${path}/`))
  }
  return difference
}

interface EntryPair {
  readonly path: string
  readonly old: TreeEntry | undefined
  readonly now: TreeEntry | undefined
}

/** Pairs the entries of two folders by name: those of the first, then those of the second alone. */
function pairsOf(
  objects: ObjectStore,
  from: string | undefined,
  to: string | undefined,
  prefix: string,
): Iterator<EntryPair, void> {
  const before = from === undefined ? [] : readTree(objects, from).entries
  const after = entriesByName(objects, to)
  return joinByName(before, after, prefix)
}

function* joinByName(
  before: readonly TreeEntry[],
  after: ReadonlyMap<string, TreeEntry>,
  prefix: string,
): Generator<EntryPair, void, undefined> {
  const names = new Set<string>()
  for (const old of before) {
    if (after.size > 0) names.add(old.name)
    yield { path: prefix + old.name, old, now: after.get(old.name) }
  }
  for (const [name, now] of after) {
    if (!names.has(name)) yield { path: prefix + name, old: undefined, now }
  }
}

function entriesByName(objects: ObjectStore, treeId: string | undefined): Map<string, TreeEntry> {
  const entries = treeId === undefined ? [] : readTree(objects, treeId).entries
  return new Map(entries.map((entry) => [entry.name, entry]))
}

/** Returns a key of a file's content and mode, to compare files. */
function fileOf(entry: TreeEntry | undefined): string | undefined {
  return entry === undefined || entry.type === 'directory' ? undefined : entry.mode + entry.oid
}

function folderOf(entry: TreeEntry | undefined): string | undefined {
  return entry?.type === 'directory' ? entry.oid : undefined
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
