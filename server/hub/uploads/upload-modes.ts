import { Refusal } from '../../core/refusal.ts'
import { withoutBackslashes } from '../rules/file-paths.ts'
import { isBinary, largestRegularFile } from '../rules/file-rules.ts'
import { readGitAttributes } from '../rules/git-attributes.ts'
import { readGitIgnore } from '../rules/git-patterns.ts'
import type { ObjectStore } from '../files/git-objects.ts'
import type { FindLarge } from '../files/lfs-files.ts'
import { MatchWork } from '../rules/match-work.ts'
import { ruleFiles } from '../files/rule-files.ts'
import { findPaths, type PathEntry } from '../files/trees.ts'

/** File that a client is about to upload. */
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
  /** Id of the current file: its git id, or the SHA-256 of the content of a large file. */
  oid?: string
}

/**
 * Decides how each file is to be uploaded. The `.gitattributes` of its folders come first; without a rule, its size and
 * its first bytes decide.
 * @param input `gitIgnore`, `gitAttributes`: in place of those that the commit has at its root
 * @throws {Refusal} `invalid` for a sample that is not base64, and beyond the limit of {@link MatchWork}
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
  const work = new MatchWork(sentBytes(input))
  const isIgnored = readGitIgnore(
    input.gitIgnore ?? ruleFiles(objects, treeId, '.gitignore')('') ?? '',
  )
  const attributes = ruleFiles(objects, treeId, '.gitattributes')
  const filterOf = readGitAttributes(
    (folder) => (folder === '' ? (input.gitAttributes ?? attributes('')) : attributes(folder)),
    work,
  )
  const paths = files.map((file) => withoutBackslashes(file.path))
  const present = new Map<string, PathEntry>()
  for (const entry of findPaths(objects, treeId, paths)) present.set(entry.path, entry)
  const modes: UploadMode[] = []
  for (const file of files) {
    const path = withoutBackslashes(file.path)
    const known = present.get(path)
    modes.push({
      path: file.path,
      uploadMode: isLarge(file, filterOf(path)) ? 'lfs' : 'regular',
      shouldIgnore: isIgnored(path, work),
      ...(known?.type === 'file' ? { oid: findLarge(known)?.oid ?? known.oid } : {}),
    })
  }
  return modes
}

/** Bytes of a file in the request beside its path and sample, about. */
const bytesOfFile = 40

function sentBytes({
  files,
  gitIgnore = '',
  gitAttributes = '',
}: Parameters<typeof planUploads>[1]) {
  const rules = gitIgnore.length + gitAttributes.length
  return files.reduce(
    (sum, { path, sample = '' }) => sum + bytesOfFile + path.length + sample.length,
    rules,
  )
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
