import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { own } from './own.ts'

/** A file that a user named cannot be read; the message continues "FILE". */
export class UserFileError extends Error {
  override readonly name = 'UserFileError'
  readonly code: string | undefined

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = (cause as NodeJS.ErrnoException | undefined)?.code
  }
}

/**
 * Reads a file that a user named. Anything but a file is refused at once: a pipe without a writer would hang, and a device
 * may never end.
 * @param mostBytes size above which it is refused unread
 * @throws {UserFileError}
 */
export async function readUserFile(file: string, mostBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe waits for its writer. Windows has no such flag, and no such pipes.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
  const handle = await open(file, flags).catch((error: unknown) => {
    throw unreadable(error)
  })
  try {
    const found = await handle.stat()
    if (found.isDirectory()) throw new UserFileError('is a folder, not a file')
    if (!found.isFile()) throw new UserFileError('is a pipe or device, not a file')
    if (found.size > mostBytes) throw tooLarge(mostBytes)
    const content = await handle.readFile()
    // Files of the kernel, such as those below /proc, have no size.
    if (content.length > mostBytes) throw tooLarge(mostBytes)
    return content
  } catch (error) {
    throw error instanceof UserFileError ? error : unreadable(error)
  } finally {
    await handle.close()
  }
}

/** Reads a text file that a user named, without its byte order mark. @throws {UserFileError} */
export async function readUserText(file: string, mostBytes: number): Promise<string> {
  return (await readUserFile(file, mostBytes)).toString('utf8').replace(/^\uFEFF/, '')
}

function tooLarge(mostBytes: number): UserFileError {
  const mib = mostBytes / 1024 / 1024
  return new UserFileError(`is larger than ${mib >= 1 ? `${mib} MiB` : `${mostBytes} bytes`}`)
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'cannot be read: permission denied',
  EISDIR: 'is a folder, not a file',
  ENOENT: 'does not exist',
  // A socket, or a device without a driver.
  ENXIO: 'is a pipe or device, not a file',
}

function unreadable(error: unknown): UserFileError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new UserFileError(own(reasons, code) ?? `cannot be read: ${message}`, error)
}
