import { Refusal } from '../core/refusal.ts'
import { isBinary, largestRegularFile } from './file-rules.ts'
import { readGitAttributes } from './git-attributes.ts'
import { readGitIgnore } from './git-patterns.ts'
import type { ObjectStore } from './git-objects.ts'
import type { FindLarge } from './lfs-files.ts'
import { ruleFiles } from './rule-files.ts'
import { findPath } from './trees.ts'

/** A file that somebody is about to upload. */
export interface PlannedFile {
  readonly path: string
  /** In bytes; missing or negative if the client does not know it. */
  readonly size?: number
  /** Its first bytes, as base64. */
  readonly sample?: string
}

/** How a file is to be uploaded. */
export interface UploadMode {
  path: string
  uploadMode: 'regular' | 'lfs'
  shouldIgnore: boolean
  /** What is there now: its id in git, of a large file the SHA-256 of its content. */
  oid?: string
}

/**
 * Tells of each file how it is to be uploaded: by the `.gitattributes` of its folders whatever its size, then by its size
 * and its first bytes.
 * @param input `gitIgnore`, `gitAttributes`: in place of those that the commit has at its root
 * @throws {Refusal} `invalid` for a sample that is no base64
 */
export function planUploads(
  objects: ObjectStore,
  input: {
    treeId: string
    findLarge: FindLarge
    files: readonly PlannedFile[]
    gitIgnore?: string
    gitAttributes?: string
  },
): UploadMode[] {
  const { treeId, findLarge, files } = input
  const isIgnored = readGitIgnore(
    input.gitIgnore ?? ruleFiles(objects, treeId, '.gitignore')('') ?? '',
  )
  const attributes = ruleFiles(objects, treeId, '.gitattributes')
  const filterOf = readGitAttributes((folder) =>
    folder === '' ? (input.gitAttributes ?? attributes('')) : attributes(folder),
  )
  return files.map((file) => {
    const present = findPath(objects, treeId, file.path)
    return {
      path: file.path,
      uploadMode: isLarge(file, filterOf(file.path)) ? 'lfs' : 'regular',
      shouldIgnore: isIgnored(file.path),
      ...(present?.type === 'file' ? { oid: findLarge(present)?.oid ?? present.oid } : {}),
    }
  })
}

function isLarge(
  { path, size = -1, sample = '' }: PlannedFile,
  filter: string | undefined,
): boolean {
  if (size === 0) return false
  if (filter === 'lfs' || size > largestRegularFile) return true
  return filter === undefined && !isText(decodeSample(path, sample))
}

function decodeSample(path: string, sample: string): Buffer {
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(sample)) return Buffer.from(sample, 'base64')
  throw new Refusal('invalid', `The sample of ${path} is no base64`)
}

function isText(sample: Buffer): boolean {
  if (isBinary(sample)) return false
  try {
    // A character may be cut off at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
