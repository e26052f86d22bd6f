import { messageOf } from '../core/background.ts'
import { own } from '../core/own.ts'

/** The stored state cannot be read or written. The message is for the user; files are left unchanged. */
export class StateError extends Error {
  override readonly name: string = 'StateError'
  /** File or folder of the message. */
  readonly file: string
  /** Line number from 1, if a line is at fault. */
  readonly line?: number

  constructor(message: string, where: { file: string; line?: number; cause?: unknown }) {
    super(message, 'cause' in where ? { cause: where.cause } : undefined)
    this.file = where.file
    if (where.line !== undefined) this.line = where.line
  }
}

/** The files of the state can be read, but their contents are damaged. */
export class DamagedError extends StateError {
  override readonly name = 'DamagedError'
}

/** The files of the state are valid for a newer version of the program. */
export class NewerError extends DamagedError {
  constructor(problem: string, { file, line }: { file: string; line: number }) {
    super(`${file}, line ${line}: ${problem}`, { file, line })
  }
}

/** The files of the state have records that this version does not know: they are damaged, or a newer version wrote them. */
export class UnknownRecordError extends DamagedError {
  constructor(problem: string, { file, line }: { file: string; line: number }) {
    super(`${file}, line ${line}: ${problem}`, { file, line })
  }
}

/** A damaged line of a file. */
export function lineError(
  file: string,
  line: number,
  problem: string,
  cause?: unknown,
): DamagedError {
  const where = cause === undefined ? { file, line } : { file, line, cause }
  return new DamagedError(`${file}, line ${line}: ${problem}`, where)
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file is in the way',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a link, and links are not followed: remove it',
  EMFILE: 'too many files are open',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

/** Describes an error of the operating system, as in `cannot write /data/state.json: the disk is full (ENOSPC)`. */
export function fileError(doing: string, file: string, cause: unknown): StateError {
  if (cause instanceof StateError) return cause
  const code = errorCode(cause)
  const reason = code === undefined ? undefined : own(reasons, code)
  const text = reason ? `${reason} (${code})` : messageOf(cause)
  return new StateError(`cannot ${doing} ${file}: ${text}`, { file, cause })
}

const isNotWritable: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** The data folder cannot be used; the message has a fix if another folder would help. */
export function dataFolderError(folder: string, cause: unknown): StateError {
  const error = fileError('use the data folder', folder, cause)
  if (!isNotWritable.has(errorCode(cause))) return error
  const fix = 'Name a folder that you can write to with --data, or keep nothing with --ephemeral.'
  return new StateError(`${error.message}. ${fix}`, { file: folder, cause })
}

/** Returns the code of an error of the operating system; `undefined` for others, and without an error. */
export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}

const passing = new Set(['EIO', 'EMFILE', 'ENFILE'])

/** Checks whether the disk refused an operation for a while: that says nothing of what a file has. */
export function isPassing(error: unknown): boolean {
  const code = errorCode(error instanceof StateError ? error.cause : error)
  return code !== undefined && passing.has(code)
}
