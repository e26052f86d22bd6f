import { lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode, fileError } from '../errors.ts'
import { isAlive, parseIdentity, thisProcess } from '../processes.ts'

const prefix = 'hub-sandbox-contents-'
/** File that names the owner of a folder. */
const ownerName = 'owner.json'
/** A folder without an owner is being created, or its program was killed then. */
const newMs = 60_000

/**
 * Private temporary folder of a sandbox in memory. It is created at its first use and removed with the sandbox; the folder of
 * a killed program is removed by a later one ({@link sweepContentsFolders}).
 */
export class ContentsFolder {
  #path: string | undefined

  /** @throws {StateError} when the disk refuses it */
  path(): string {
    return (this.#path ??= make())
  }

  async remove(): Promise<void> {
    const path = this.#path
    this.#path = undefined
    if (path !== undefined) await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

function make(): string {
  const start = join(tmpdir(), prefix)
  try {
    const path = mkdtempSync(start)
    writeFileSync(join(path, ownerName), JSON.stringify(thisProcess()), { mode: 0o600 })
    return path
  } catch (error) {
    throw fileError('write', start, error)
  }
}

let swept: Promise<void> | undefined

/** Removes files left by killed programs. It runs once for each program, since only killed programs leave files. */
export function sweepContentsFolders(): Promise<void> {
  return (swept ??= sweepIn(tmpdir()))
}

/**
 * Removes the folders of programs that have ended. Folders of other users are neither removed nor read, because any user may
 * create one with such a name.
 * @param uid of this process; `undefined` on a system without user ids
 */
export async function sweepIn(
  folder: string,
  uid: number | undefined = process.getuid?.(),
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const path = join(folder, name)
    try {
      if (!isLeft(path, uid)) continue
      await rm(path, { recursive: true, force: true })
    } catch (error) {
      // It belongs to another user, or another program has just removed it.
      if (errorCode(error) === undefined) throw error
    }
  }
}

function isLeft(path: string, uid: number | undefined): boolean {
  const stats = lstatSync(path)
  if (!stats.isDirectory() || (uid !== undefined && stats.uid !== uid)) return false
  try {
    const owner = parseIdentity(readFileSync(join(path, ownerName), 'utf8'))
    if (owner !== undefined) return !isAlive(owner)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  return Date.now() - stats.mtimeMs > newMs
}
