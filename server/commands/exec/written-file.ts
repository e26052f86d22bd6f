import { randomUUID } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { messageOf } from '../../core/background.ts'
import { makeFolder } from '../../state/make-folder.ts'
import { CommandError } from '../command-error.ts'

/**
 * Makes a folder that a flag names, and finds out whether something can be written there, before anything starts.
 * @throws {CommandError} with exit code 2
 */
export function prepareFolder(flag: string, folder: string): void {
  requireName(flag, folder)
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new CommandError(`${flag}: nothing can be written to ${folder} (${messageOf(error)}).`, {
      exitCode: 2,
      cause: error,
    })
  }
}

/**
 * The same for a file that a flag names.
 * @throws {CommandError} with exit code 2
 */
export function prepareFile(flag: string, file: string): void {
  requireName(flag, file)
  prepareFolder(flag, dirname(resolve(file)))
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder) return
  throw new CommandError(`${flag} names a file to write, and ${file} is a folder.`, { exitCode: 2 })
}

/** An empty one is the folder that this is called in, as paths go: it comes of a variable that is not set. */
function requireName(flag: string, path: string): void {
  if (path === '') throw new CommandError(`${flag} is given no name.`, { exitCode: 2 })
}

/**
 * Writes a file for its user alone, whole or not at all: a reader never finds a part of it.
 * @throws {CommandError} naming the file
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const path = resolve(file)
  const besides = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    await writeFile(besides, text, { mode: 0o600, flag: 'wx' })
    await rename(besides, path)
  } catch (error) {
    await rm(besides, { force: true })
    throw new CommandError(`${file} was not written (${messageOf(error)}).`, { cause: error })
  }
}
