import { beginningOf } from '../../core/encode-text.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import type { CommitInput, FileOperation } from '../commits/commits.ts'
import type { KeepContent } from './commit-contents.ts'
import { checkFilePath, withoutBackslashes } from '../rules/file-paths.ts'
import { largestRegularFile, refusedFiles } from '../rules/file-rules.ts'
import type { LfsOperation } from '../commits/lfs-operations.ts'

/** Part of a commit request: its header or one operation. */
export interface CommitPart {
  /** Begins the error message, e.g. `Line 3 of the commit`. */
  readonly where: string
  readonly value: Readonly<Record<string, unknown>>
}

export type CommitHeader = Pick<CommitInput, 'title' | 'description' | 'parentCommit'>

/** Commit as requested by a client. */
export type ParsedCommit = CommitHeader & {
  operations: (FileOperation | LfsOperation)[]
  /** Unknown members, described for people. */
  passedOver: string[]
}

/** Known members of each kind of operation, and of the header. */
export const knownMembers = {
  header: ['summary', 'description', 'parentCommit'],
  file: ['path', 'content', 'encoding', 'oldPath'],
  lfsFile: ['path', 'algo', 'oid', 'size', 'oldPath'],
  deletedFile: ['path'],
  deletedFolder: ['path'],
  deletedEntry: ['path'],
} satisfies Record<string, readonly string[]>
export type CommitKey = keyof typeof knownMembers
export type OperationKey = Exclude<CommitKey, 'header'>

export function isCommitKey(key: string): key is CommitKey {
  return Object.hasOwn(knownMembers, key)
}

/** @throws {Refusal} `invalid` */
export function readHeader(part: CommitPart): CommitHeader {
  const title = textOf(part, 'summary')
  if (title === undefined || title.trim() === '') throw invalidPart(part, 'summary is empty')
  return {
    title,
    ...omitUndefined({
      description: textOf(part, 'description'),
      parentCommit: textOf(part, 'parentCommit'),
    }),
  }
}

/**
 * Reads one operation of a commit and stores the content of its file.
 * @throws {Refusal} `invalid`; `unprocessable` for an invalid path
 */
export async function readOperation(
  key: OperationKey,
  part: CommitPart,
  keep: KeepContent,
): Promise<FileOperation | LfsOperation> {
  switch (key) {
    case 'file':
      return readFile(part, keep)
    case 'lfsFile':
      return readLargeFile(part)
    case 'deletedFolder':
      return { kind: 'deleteFolder', path: pathOf(part, /\/$/) }
    default:
      return { kind: 'delete', path: pathOf(part, /\/$/) }
  }
}

/** @throws {Refusal} `invalid` for a commit that changes nothing, in the words of the hub */
export function requireOperations(operations: readonly unknown[]): void {
  if (operations.length > 0) return
  throw new Refusal('invalid', 'Add a line with the key `lfsFile`, `file` or `deletedFile`', {
    detail: 'the commit has a header and no operation',
  })
}

async function readFile(part: CommitPart, keep: KeepContent): Promise<FileOperation> {
  const oldPath = oldPathOf(part)
  const path = pathOf(part)
  const isMoved = (own(part.value, 'content') ?? undefined) === undefined
  if (oldPath !== undefined && isMoved) return { kind: 'move', path, oldPath }
  const content = decodeContent(part)
  if (content.length > largestRegularFile) throw refusedFiles('large', [path])
  return { kind: 'add', path, ...(await keep(content)), ...omitUndefined({ oldPath }) }
}

function decodeContent(part: CommitPart): Buffer {
  const encoding = textOf(part, 'encoding') ?? 'utf-8'
  if (encoding !== 'base64' && encoding !== 'utf-8') {
    throw invalidPart(part, `unknown encoding ${JSON.stringify(beginningOf(encoding, 50))}`)
  }
  const text = textOf(part, 'content')
  if (text === undefined) throw invalidPart(part, 'content is missing')
  const content = Buffer.from(text, encoding)
  // Node ignores characters that are not base64, and accepts other endings.
  if (encoding === 'base64' && content.toString('base64') !== text) {
    throw invalidPart(part, 'content is not base64')
  }
  return content
}

function readLargeFile(part: CommitPart): FileOperation | LfsOperation {
  const path = pathOf(part)
  const oldPath = oldPathOf(part)
  const algorithm = textOf(part, 'algo') ?? 'sha256'
  if (algorithm !== 'sha256') throw invalidPart(part, `unknown algo ${JSON.stringify(algorithm)}`)
  const oid = textOf(part, 'oid')
  if (oid === undefined && oldPath !== undefined) return { kind: 'move', path, oldPath }
  if (oid === undefined || !/^[0-9a-f]{64}$/.test(oid)) {
    throw invalidPart(part, 'oid is not a SHA-256 of 64 hex digits')
  }
  const size = own(part.value, 'size') ?? undefined
  const named = { kind: 'lfs' as const, path, oid, ...omitUndefined({ oldPath }) }
  if (size === undefined) return named
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw invalidPart(part, 'size is not a number of bytes')
  }
  return { ...named, size }
}

function oldPathOf(part: CommitPart): string | undefined {
  const given = textOf(part, 'oldPath')
  return given === undefined ? undefined : checkedPath(given)
}

function pathOf(part: CommitPart, ending?: RegExp): string {
  const given = textOf(part, 'path')
  if (given === undefined) throw invalidPart(part, 'path is missing')
  return checkedPath(ending === undefined ? given : given.replace(ending, ''))
}

function checkedPath(given: string): string {
  const path = withoutBackslashes(given)
  checkFilePath(path)
  return path
}

/** @returns `undefined` if it is missing or null */
function textOf(part: CommitPart, name: string): string | undefined {
  const text = own(part.value, name)
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string') throw invalidPart(part, `${name} is no text`)
  return text
}

export function invalidPart({ where }: Pick<CommitPart, 'where'>, problem: string): Refusal {
  return new Refusal('invalid', `${where}: ${problem}`)
}
