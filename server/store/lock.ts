import { closeSync, lstatSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { dataFolderError, errorCode, fileError, StateError } from './errors.ts'
import { makeFolder } from './make-folder.ts'
import { syncNames } from './files.ts'
import { clearForNew, findFolderProblem, readTextSync } from './private-files.ts'
import { isAlive, parseIdentity, type ProcessIdentity, thisProcess } from './processes.ts'
import { performance, sleep } from '../core/timers.ts'

/** Details of the owner of a lock, for other processes. */
export interface LockDetails {
  url?: string
  /** URL for programs on this machine, if it differs. */
  localUrl?: string
  controlToken?: string
}

export interface LockHolder extends LockDetails, ProcessIdentity {
  /** Time of locking, ISO 8601. */
  startedAt: string
}

export interface Lock {
  release(): void
  /** Replaces the details that others can read. */
  update(details: LockDetails): void
}

/** The data folder is in use by a running process. */
export class LockedError extends StateError {
  override readonly name = 'LockedError'
  readonly holder: LockHolder

  constructor(directory: string, file: string, holder: LockHolder) {
    super(describeHolder(directory, file, holder), { file })
    this.holder = holder
  }
}

/** The requested folder cannot be a data folder. */
export class FolderError extends StateError {
  override readonly name = 'FolderError'
}

/**
 * Refuses a folder that other users could read secrets from or plant files in.
 * @throws {FolderError} with the fix
 */
export function requirePrivateFolder(directory: string): void {
  const found = findFolderProblem(directory)
  if (found === undefined) return
  throw new FolderError(`${found.problem}. ${found.fix}`, { file: directory })
}

const lockName = 'lock.json'

/** Time that a lock can stay empty: its creator writes it at once, unless it dies right there. */
const unwrittenGraceMs = 1000
const retryMs = 20
/** Taking over a stale lock takes milliseconds; a process that needs longer hangs. */
const takeoverGraceMs = 5000
/** Time after which finding the owner of a lock is given up. */
const claimMs = 10_000

/**
 * Locks the folder for this process, creating the folder if needed. The lock of a dead process is taken over.
 *
 * The file calls are synchronous: they are few, and nothing of this process can come between them.
 * @throws {LockedError} if a running process has the lock
 * @throws {FolderError} if the folder cannot be used
 */
export async function acquireLock(directory: string, details: LockDetails = {}): Promise<Lock> {
  const file = join(directory, lockName)
  const self = describeSelf()
  let text = toText({ ...self, ...details })
  try {
    const parents = makeFolder(directory)
    requirePrivateFolder(directory)
    await claim(directory, file, text)
    for (const parent of parents) await syncNames(parent)
  } catch (error) {
    if (error instanceof LockedError || error instanceof FolderError) throw error
    const { message } = dataFolderError(directory, error)
    throw new FolderError(message, { file: directory, cause: error })
  }
  return {
    release() {
      try {
        // The file may have been deleted by hand, and the folder locked by another process since.
        if (readText(file) === text) unlinkSync(file)
      } catch (error) {
        throw fileError('remove', file, error)
      }
    },
    update(next) {
      const nextText = toText({ ...self, ...next })
      try {
        clearForNew(`${file}.tmp`)
        writeFileSync(`${file}.tmp`, nextText, { mode: 0o600, flag: 'wx' })
        renameSync(`${file}.tmp`, file)
      } catch (error) {
        throw fileError('write', file, error)
      }
      text = nextText
    },
  }
}

/**
 * Returns the running process that has the folder; undefined if there is none.
 * @throws {StateError} if the lock cannot be read
 */
export function readLock(directory: string): LockHolder | undefined {
  const file = join(directory, lockName)
  try {
    const holder = parseHolder(readText(file))
    return holder && isAlive(holder) ? holder : undefined
  } catch (error) {
    throw fileError('read', file, error)
  }
}

/** Same as {@link findOwner}, but a folder that cannot be read has no owner. */
export function readLockIfAllowed(directory: string): LockHolder | undefined {
  try {
    return readLock(directory)
  } catch (error) {
    if (error instanceof StateError) return undefined
    throw error
  }
}

async function claim(directory: string, file: string, text: string): Promise<void> {
  const started = performance.now()
  while (!createExclusively(file, text)) {
    const found = readText(file)
    const waitedMs = performance.now() - started
    if (waitedMs > claimMs) {
      throw new FolderError(`${file} cannot be locked: remove it if no sandbox uses ${directory}`, {
        file,
      })
    }
    if (found === undefined) {
      // The lock has just been released; another process may take it.
      await sleep(0)
      continue
    }
    const holder = parseHolder(found)
    if (holder && isAlive(holder)) throw new LockedError(directory, file, holder)
    if (!holder && waitedMs < unwrittenGraceMs) await sleep(retryMs)
    else await removeStale(directory, file, found, text)
  }
}

/**
 * Removes an abandoned lock, unless another process did so first. Between reading and removing it another process may
 * have created its own, so removing a lock requires a second one, the guard, and another read. The guard can be
 * abandoned too, by a process killed within these lines; then the same rule applies to it.
 */
async function removeStale(directory: string, file: string, stale: string, self: string) {
  const guard = `${file}.takeover`
  const started = performance.now()
  for (;;) {
    try {
      await claim(directory, guard, self)
      break
    } catch (error) {
      if (!(error instanceof LockedError)) throw error
      if (performance.now() - started > takeoverGraceMs) throw error
      await sleep(retryMs)
      if (readText(file) !== stale) return
    }
  }
  try {
    if (readText(file) === stale) unlinkSync(file)
  } finally {
    unlinkSync(guard)
  }
}

function createExclusively(file: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(descriptor, text)
  } finally {
    closeSync(descriptor)
  }
  return true
}

function readText(file: string): string | undefined {
  try {
    // Reading a pipe may never end and would block everything else, even signals.
    const stats = lstatSync(file)
    if (!stats.isFile()) {
      const kind = stats.isSymbolicLink() ? 'a link' : 'not a file'
      throw new FolderError(`${file} is ${kind}: remove it`, { file })
    }
    return readTextSync(file)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

function describeSelf(): LockHolder {
  return { ...thisProcess(), startedAt: new Date().toISOString() }
}

function toText(holder: LockHolder): string {
  return `${JSON.stringify(holder, undefined, 2)}\n`
}

function parseHolder(text: string | undefined): LockHolder | undefined {
  return text === undefined ? undefined : (parseIdentity(text) as LockHolder | undefined)
}

function describeHolder(directory: string, file: string, holder: LockHolder): string {
  const { pid, host, startedAt, url } = holder
  const elsewhere = host !== hostname()
  const where = `${elsewhere ? ` on ${host}` : ''}${url === undefined ? '' : ` at ${url}`}`
  const advice = elsewhere
    ? `If it is no longer running, delete ${file}.`
    : 'Stop it or choose another data folder.'
  return `${directory} is in use by process ${pid}${where} since ${startedAt}. ${advice}`
}
