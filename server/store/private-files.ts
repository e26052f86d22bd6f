import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from './errors.ts'

// Windows has no such flag, and only administrators can create links there.
const noFollow = constants.O_NOFOLLOW ?? 0
/** Opening a pipe in place of a file would wait for its writer. */
const noWait = constants.O_NONBLOCK ?? 0

/** Flags that refuse symbolic links, because another user may have replaced a file by one. */
export const openFlags = {
  read: constants.O_RDONLY | noFollow | noWait,
  change: constants.O_RDWR | noFollow,
  overwrite: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | noFollow,
} as const

/** Reads a file, unless it is a symbolic link. */
export function readTextSync(file: string): string {
  const descriptor = openSync(file, openFlags.read)
  try {
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Replaces a file, so that the old one, even a symbolic link, is never written to. A crash or a power cut leaves the old
 * one or the whole new one, whose name is safe once its folder is synced.
 * @param write writes the content to the new file
 */
export async function replaceFile(
  file: string,
  mode: number,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = `${file}.tmp`
  clearForNew(temporary)
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      await write(handle)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    // The next one of this name removes it otherwise.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Removes a temporary file of a killed process. */
export function clearForNew(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

export interface FolderProblem {
  /** Problem, as a sentence without a full stop. */
  readonly problem: string
  readonly fix: string
}

/**
 * Finds the reason why a folder is not safe for secrets: another user owns it, can write to it, or has put something
 * into it. A mounted volume may have another owner and group, as in containers.
 * @param directory existing folder
 * @param uid user id of this process; undefined on systems without owners (Windows)
 */
export function findFolderProblem(
  directory: string,
  uid: number | undefined = process.getuid?.(),
): FolderProblem | undefined {
  if (uid === undefined) return undefined
  const isForeign = (owner: number) => owner !== uid && owner !== 0
  const link = lstatSync(directory)
  if (link.isSymbolicLink() && isForeign(link.uid))
    return ownedBy(directory, link.uid, 'a link that')
  const folder = realpathSync(directory)
  const { uid: owner, mode } = statSync(folder)
  const isMounted = isMountPoint(folder)
  if (!isMounted && owner !== uid) return ownedBy(folder, owner)
  if ((mode & (isMounted ? 0o002 : 0o022)) !== 0) return writable(folder, mode)
  if (isMounted) return undefined
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) continue
    if (isForeign(stats.uid)) return planted(path, stats.uid)
    if (stats.isDirectory() && (stats.mode & 0o022) !== 0) return writable(path, stats.mode)
  }
  return undefined
}

function isMountPoint(folder: string): boolean {
  return statSync(folder).dev !== statSync(dirname(folder)).dev
}

function ownedBy(path: string, owner: number, kind = 'a folder that'): FolderProblem {
  return {
    problem: `${path} is ${kind} belongs to another user (${owner}), who could read and replace its contents`,
    fix: 'Start the sandbox as that user, or name a folder of your own with --data.',
  }
}

function planted(path: string, owner: number): FolderProblem {
  return {
    problem: `${path} belongs to another user (${owner})`,
    fix: 'Remove it if you did not expect it, or name another folder with --data.',
  }
}

function writable(path: string, mode: number): FolderProblem {
  const digits = (mode & 0o777).toString(8)
  return {
    problem: `Others on this machine can write to ${path} (mode ${digits})`,
    fix: `Run "chmod go-w ${path}", or name another folder with --data.`,
  }
}
