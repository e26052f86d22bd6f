import { Refusal } from '../core/refusal.ts'
import type { FileOperation } from './commits.ts'
import { readGitAttributes } from './git-patterns.ts'
import { type ObjectStore, readBlob } from './git-objects.ts'
import type { HubDeps } from './hub-deps.ts'
import { findLfsFile, formatLfsPointer } from './lfs-objects.ts'
import { longestAttributeLine } from './strict-files.ts'
import { findPath } from './trees.ts'

/** A content that was uploaded before the commit that names it. */
export interface LfsOperation {
  kind: 'lfs'
  path: string
  /** SHA-256 of the content. */
  oid: string
  /** In bytes; absent where a file is copied. */
  size?: number
}

const attributesPath = '.gitattributes'
/** Nobody writes longer ones. */
const mostAttributeBytes = 1024 * 1024

/**
 * Puts a pointer in the place of each large file, and a line into `.gitattributes` for those that no pattern covers: git
 * would take the pointer for the file.
 * @param treeId what the operations change
 * @throws {Refusal} `unprocessable` for a content that was not uploaded to this repo, or has another size
 */
export function writePointers(
  deps: Pick<HubDeps, 'state'>,
  { objects, repo, treeId }: { objects: ObjectStore; repo: { id: string }; treeId: string },
  operations: readonly (FileOperation | LfsOperation)[],
): FileOperation[] {
  const paths: string[] = []
  const plain = operations.map((operation): FileOperation => {
    if (operation.kind !== 'lfs') return operation
    const { path, oid, size } = operation
    const known = findLfsFile(deps, repo, oid)
    if (known === undefined) {
      throw new Refusal('unprocessable', `${path} was not uploaded: there is no content ${oid}`, {
        detail: 'a commit may refer to what was uploaded to its own repo alone',
      })
    }
    if (size !== undefined && size !== known.size) {
      throw new Refusal('unprocessable', `${path} has ${known.size} bytes, not ${size}`)
    }
    paths.push(path)
    return { kind: 'add', path, content: formatLfsPointer(known) }
  })
  if (paths.length === 0) return plain
  const before = attributesAfter(objects, treeId, plain)
  const after = before === undefined ? undefined : coverPaths(before, paths)
  if (after === before || after === undefined) return plain
  return [...plain, { kind: 'add', path: attributesPath, content: after }]
}

/** What `.gitattributes` will hold; `undefined` when it is no text that anybody has written. */
function attributesAfter(
  objects: ObjectStore,
  treeId: string,
  operations: readonly FileOperation[],
): string | undefined {
  const last = operations.findLast(({ path }) => path === attributesPath)
  if (last?.kind === 'delete') return ''
  if (last?.kind === 'add' && 'content' in last) return Buffer.from(last.content).toString()
  const found = last?.kind === 'add' ? last : findPath(objects, treeId, attributesPath)
  if (found === undefined || !('oid' in found)) return ''
  if ('type' in found && found.type !== 'file') return undefined
  return found.size > mostAttributeBytes ? undefined : readBlob(objects, found.oid).toString()
}

function coverPaths(text: string, paths: readonly string[]): string {
  const filterOf = readGitAttributes(text)
  const present = new Set(text.split('\n'))
  const lines = paths
    .filter((path) => filterOf(path) !== 'lfs')
    .map((path) => `${asPattern(path)} filter=lfs diff=lfs merge=lfs -text`)
  // For a longer one the pointer alone has to tell.
  const added = [...new Set(lines)].filter(
    (line) => !present.has(line) && Buffer.byteLength(line) <= longestAttributeLine,
  )
  if (added.length === 0) return text
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${start}${added.join('\n')}\n`
}

/** A pattern for this very path, as git-lfs writes it. */
function asPattern(path: string): string {
  return path
    .replaceAll(/[\\*?[]/g, String.raw`\$&`)
    .replace(/^[#!"]/, String.raw`\$&`)
    .replaceAll(' ', '[[:space:]]')
}
