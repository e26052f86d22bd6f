import { Refusal } from '../../core/refusal.ts'
import type { FileOperation } from './commits.ts'
import { type FilterOf, longestAttributeLine, readGitAttributes } from '../rules/git-attributes.ts'
import { type ObjectStore, readBlob } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import {
  findLfsFile,
  formatLfsPointer,
  mayReferTo,
  parseLfsPointer,
  pointerLimit,
} from '../files/lfs-objects.ts'
import { MatchWork } from '../rules/match-work.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { findPath } from '../files/trees.ts'

/** Object that was uploaded before the commit that refers to it. */
export interface LfsOperation {
  kind: 'lfs'
  path: string
  /** SHA-256 of the object. */
  oid: string
  /** In bytes; absent where a file is copied. */
  size?: number
  /** Former path of a moved file. */
  oldPath?: string
}

const attributesPath = '.gitattributes'
const newline = 0x0a
/** Bytes of a large file in a commit beside its path, about. */
const bytesOfFile = 120
/** Longer files are not read. */
const mostAttributeBytes = 1024 * 1024

/**
 * Writes a pointer for each large file, and a line in `.gitattributes` for those that no pattern covers: without it git
 * would treat the pointer as the file.
 * @param treeId tree that the operations change
 * @throws {Refusal} `unprocessable` for an object that was not uploaded to this repo, or has another size; `invalid` beyond
 *   the limit of {@link MatchWork}
 */
export function writePointers(
  deps: Pick<HubDeps, 'state'>,
  { objects, repo, treeId }: { objects: ObjectStore; repo: { id: string }; treeId: string },
  operations: readonly (FileOperation | LfsOperation)[],
): FileOperation[] {
  const paths: string[] = []
  const plain: FileOperation[] = []
  for (const operation of operations) {
    if (operation.kind === 'move' && isPointerAt(deps, { objects, repo, treeId }, operation)) {
      paths.push(operation.path)
    }
    if (operation.kind !== 'lfs') {
      plain.push(operation)
      continue
    }
    const { path, oid, size, oldPath } = operation
    const known = findLfsFile(deps, repo, oid)
    if (known === undefined) {
      throw new Refusal('unprocessable', `${path} was not uploaded: unknown object ${oid}`, {
        detail: 'a commit may refer only to objects that were uploaded to its repo',
      })
    }
    if (size !== undefined && size !== known.size) {
      throw new Refusal('unprocessable', `${path} has ${known.size} bytes, not ${size}`)
    }
    paths.push(path)
    const content = formatLfsPointer(known)
    plain.push({ kind: 'add', path, content, ...omitUndefined({ oldPath }) })
  }
  if (paths.length === 0) return plain
  const readRules = attributesAfter(objects, treeId, plain)
  const before = readRules('')
  if (before === undefined || before.length > mostAttributeBytes) return plain
  const sentBytes = paths.reduce((sum, path) => sum + bytesOfFile + path.length, 0)
  const work = new MatchWork(sentBytes)
  const filterOf = readGitAttributes((folder) => readRules(folder)?.toString(), work)
  const added = linesFor(paths, filterOf, before)
  if (added === '') return plain
  const end = before.length === 0 || before.at(-1) === newline ? '' : '\n'
  const content = Buffer.concat([before, Buffer.from(end + added)])
  return [...plain, { kind: 'add', path: attributesPath, content }]
}

/** Checks whether the moved file is a pointer to a large file. */
function isPointerAt(
  deps: Pick<HubDeps, 'state'>,
  { objects, repo, treeId }: { objects: ObjectStore; repo: { id: string }; treeId: string },
  { oldPath }: { oldPath: string },
): boolean {
  const found = findPath(objects, treeId, oldPath)
  if (found?.type !== 'file' || found.size >= pointerLimit) return false
  const pointer = parseLfsPointer(readBlob(objects, found.oid))
  return pointer !== undefined && mayReferTo(deps, repo, pointer)
}

/** Returns the future `.gitattributes` of a folder; `undefined` at the root when the present one is too long to read. */
function attributesAfter(
  objects: ObjectStore,
  treeId: string,
  operations: readonly FileOperation[],
): (folder: string) => Buffer | undefined {
  const lastOf = new Map<string, FileOperation>()
  for (const operation of operations) {
    lastOf.set(operation.path, operation)
    if ('oldPath' in operation && operation.oldPath !== undefined) {
      lastOf.set(operation.oldPath, operation)
    }
  }
  return (folder) => {
    const path = folder + attributesPath
    const last = lastOf.get(path)
    const isGone = last?.kind === 'delete' || last?.kind === 'deleteFolder'
    if (last !== undefined && (isGone || last.path !== path)) return Buffer.of()
    if (last !== undefined && 'content' in last) return Buffer.from(last.content)
    const found =
      last?.kind === 'add'
        ? last
        : findPath(objects, treeId, last?.kind === 'move' ? last.oldPath : path)
    if (found === undefined) return Buffer.of()
    if ('type' in found && (found.type !== 'file' || found.mode === '120000')) return undefined
    return readBlob(objects, found.oid)
  }
}

function linesFor(paths: readonly string[], filterOf: FilterOf, before: Buffer): string {
  const present = new Set(before.toString().split('\n'))
  const lines: string[] = []
  for (const path of paths) {
    if (filterOf(path) === 'lfs') continue
    lines.push(`${asPattern(path)} filter=lfs diff=lfs merge=lfs -text`)
  }
  // Beyond the limit the pointer stays without a line.
  return [...new Set(lines)]
    .filter((line) => !present.has(line) && Buffer.byteLength(line) <= longestAttributeLine)
    .map((line) => `${line}\n`)
    .join('')
}

/** Returns a pattern for exactly this path, as git-lfs writes it. */
function asPattern(path: string): string {
  return path
    .replaceAll(/[\\*?[]/g, String.raw`\$&`)
    .replace(/^[#!"]/, String.raw`\$&`)
    .replaceAll(' ', '[[:space:]]')
}
