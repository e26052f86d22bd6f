import { closeSync, constants, lstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf, warn } from '../../core/background.ts'
import { errorCode } from '../../store/errors.ts'
import { isAlive, parseIdentity, thisProcess } from '../../store/processes.ts'
import { CommandError } from '../command-error.ts'

const prefix = 'hub-sandbox-exec-'
/** File that names the owner of the folder. */
const ownerName = 'owner.json'
/** The owner file is written right after the folder; without it after this time, the owner was killed in between. */
const unownedGraceMs = 60_000

/** Folder that only its user can read. */
export interface PrivateFolder {
  readonly path: string
  /** Removes the folder with its content, synchronously: the process may be about to end. */
  remove(): void
}

/** Creates a private folder and removes those of killed runs. */
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
      `Cannot create a temporary folder in ${parent} (${messageOf(error)}). Set ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'} to another folder.`,
      { cause: error },
    )
  }
}

/** Removes the folders of ended runs. A failure does not prevent the run. */
async function removeStaleFolders(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  for (const path of names.map((name) => join(parent, name))) {
    try {
      if (isStale(path)) await rm(path, { recursive: true, force: true })
    } catch (error) {
      warn(`Cannot remove ${path}, left over from an earlier run: ${String(error)}`)
    }
  }
}

/** Returns whether this user owns the folder and its process has ended. Links and folders of other users are ignored. */
function isStale(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const isOurs = found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid)
  if (!isOurs) return false
  const text = readOwner(join(path, ownerName))
  const owner = text === undefined ? undefined : parseIdentity(text)
  return owner === undefined ? Date.now() - found.mtimeMs > unownedGraceMs : !isAlive(owner)
}

function readOwner(file: string): string | undefined {
  // Reading a pipe in its place would never end. Windows has no such pipes.
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
