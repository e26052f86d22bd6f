import { lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode, fileError } from '../state/errors.ts'
import { isAlive, parseIdentity, thisProcess } from '../state/processes.ts'

const prefix = 'hub-sandbox-contents-'
/** Says whose a folder is. */
const ownerName = 'owner.json'
/** One without an owner is being made, or was when its program was killed. */
const newMs = 60_000

/**
 * A folder for what a sandbox in memory cannot keep there. It is made when it is first asked for, for its user alone, and
 * is gone with the sandbox; what a program that was killed has left is removed by another one ({@link sweepContentsFolders}).
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
 * Removes the folders of programs that run no more. Those of other users are left alone, and nothing in them is looked at:
 * everybody may put there what is called like a folder of ours.
 * @param uid of this process; undefined where the system has no such thing
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
