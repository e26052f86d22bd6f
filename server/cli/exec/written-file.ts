import { randomUUID } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { messageOf } from '../../core/background.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { CommandError } from '../command-error.ts'

/**
 * Creates the folder of a flag and checks that it is writable, before anything starts.
 * @throws {CommandError} with exit code 2
 */
export function prepareFolder(flag: string, folder: string): void {
  requireName(flag, folder)
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new CommandError(`${flag}: cannot write to ${folder} (${messageOf(error)}).`, {
      exitCode: 2,
      cause: error,
    })
  }
}

/**
 * Checks the file of a flag in the same way.
 * @throws {CommandError} with exit code 2
 */
export function prepareFile(flag: string, file: string): void {
  requireName(flag, file)
  prepareFolder(flag, dirname(resolve(file)))
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder) return
  throw new CommandError(`${flag} requires a file, but ${file} is a folder.`, { exitCode: 2 })
}

/** An empty path would mean the current folder; it usually comes from an unset variable. */
function requireName(flag: string, path: string): void {
  if (path === '') throw new CommandError(`${flag} requires a name.`, { exitCode: 2 })
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
    throw new CommandError(`Cannot write ${file} (${messageOf(error)}).`, { cause: error })
  }
}
