import { isUtf8 } from 'node:buffer'
import { own } from '../../core/own.ts'
import { GitFormatError } from './object-id.ts'

const typeOfMode = {
  '40000': 'directory',
  '100644': 'file',
  '100755': 'file',
  /** Symbolic link, whose content is its target. */
  '120000': 'file',
  /** Commit of another repo (submodule), which is not stored here. */
  '160000': 'submodule',
} as const

/** Git's modes of entries. */
export type TreeMode = keyof typeof typeOfMode
export type EntryType = (typeof typeOfMode)[TreeMode]

export interface TreeEntry {
  readonly name: string
  readonly mode: TreeMode
  readonly type: EntryType
  readonly oid: string
}

export function treeEntry(name: string, mode: TreeMode, oid: string): TreeEntry {
  return { name, mode, type: typeOfMode[mode], oid }
}

const idBytes = 20

/** @param entries in the order of git ({@link sortTree}) */
export function encodeTree(entries: readonly Omit<TreeEntry, 'type'>[]): Buffer {
  const bytes = Buffer.allocUnsafe(treeBytes(entries))
  let end = 0
  for (const { mode, name, oid } of entries) {
    end += bytes.write(`${mode} ${name}\0`, end)
    end += bytes.write(oid, end, 'hex')
  }
  return bytes
}

/** Returns the bytes that {@link encodeTree} writes. */
export function treeBytes(entries: readonly Pick<TreeEntry, 'mode' | 'name'>[]): number {
  let size = 0
  for (const { mode, name } of entries) {
    size += mode.length + Buffer.byteLength(name) + 2 + idBytes
  }
  return size
}

/** @throws {GitFormatError} also for a name that is not UTF-8, which no URL can name */
export function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  let start = 0
  while (start < bytes.length) {
    const space = bytes.indexOf(0x20, start)
    const zero = bytes.indexOf(0, space + 1)
    const end = zero + 1 + idBytes
    if (space === -1 || zero === -1 || end > bytes.length) {
      throw new GitFormatError(`the entry at byte ${start} of a tree is cut off`)
    }
    const mode = bytes.toString('latin1', start, space)
    const type = own<EntryType>(typeOfMode, mode)
    if (type === undefined) throw new GitFormatError(`a tree has an entry of the mode ${mode}`)
    const nameBytes = bytes.subarray(space + 1, zero)
    const name = nameBytes.toString()
    if (!isUtf8(nameBytes)) throw new GitFormatError(`the name ${name} in a tree is not UTF-8`)
    const oid = bytes.toString('hex', zero + 1, end)
    entries.push({ name, mode: mode as TreeMode, type, oid })
    start = end
  }
  return entries
}

/** Entries in the order in which git keeps them: by bytes, folders as if their names ended in a slash. */
export function sortTree(entries: readonly TreeEntry[]): TreeEntry[] {
  return entries.toSorted((a, b) => compareUtf8(sortKey(a), sortKey(b)))
}

function sortKey({ name, mode }: TreeEntry): string {
  return mode === '40000' ? `${name}/` : name
}

/** Strings compare as their UTF-8 does, except with surrogate pairs. */
function compareUtf8(a: string, b: string): number {
  if (hasSurrogate.test(a) || hasSurrogate.test(b)) {
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  if (a === b) return 0
  return a < b ? -1 : 1
}

const hasSurrogate = /[\ud800-\udfff]/
