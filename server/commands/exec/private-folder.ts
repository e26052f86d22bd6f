import { closeSync, constants, lstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf, warn } from '../../core/background.ts'
import { errorCode } from '../../state/errors.ts'
import { isAlive, parseIdentity, thisProcess } from '../../state/processes.ts'
import { CommandError } from '../command-error.ts'

const prefix = 'hub-sandbox-exec-'
/** Says whose the folder is. */
const ownerName = 'owner.json'
/** Its maker names itself in the same breath; whoever has not by then was killed right there. */
const unownedGraceMs = 60_000

/** A folder that its user alone can read. */
export interface PrivateFolder {
  readonly path: string
  /** Removes it and what is in it, at once: there may be no later. */
  remove(): void
}

/** Makes one, and removes those that runs which were killed have left. */
export async function makePrivateFolder(parent = tmpdir()): Promise<PrivateFolder> {
  const path = await makeFolder(parent)
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  try {
    await writeFile(join(path, ownerName), JSON.stringify(thisProcess()), { mode: 0o600 })
    await removeStaleFolders(parent)
  } catch (error) {
    remove()
    throw error
  }
  return { path, remove }
}

async function makeFolder(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(parent, prefix))
  } catch (error) {
    throw new CommandError(
      `No folder can be made in ${parent}, where temporary files go (${messageOf(error)}): name another by ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'}.`,
      { cause: error },
    )
  }
}

/** Removes the folders of runs that are no more. What cannot be removed is no reason not to run. */
async function removeStaleFolders(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  for (const path of names.map((name) => join(parent, name))) {
    try {
      if (isStale(path)) await rm(path, { recursive: true, force: true })
    } catch (error) {
      warn(`${path} was left by an earlier run and cannot be removed: ${String(error)}`)
    }
  }
}

/** Whether it is a folder of this user's whose maker is gone. Links, and what others have made, are nobody's here. */
function isStale(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const isOurs = found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid)
  if (!isOurs) return false
  const text = readOwner(join(path, ownerName))
  const owner = text === undefined ? undefined : parseIdentity(text)
  return owner === undefined ? Date.now() - found.mtimeMs > unownedGraceMs : !isAlive(owner)
}

function readOwner(file: string): string | undefined {
  // A pipe in its place would never be read to its end. Windows has neither, and no such places.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
  try {
    const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    try {
      return readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}
