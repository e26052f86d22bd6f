import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileError } from '../store/errors.ts'
import { wholeSentence } from '../core/sentence.ts'
import { CommandError } from './command-error.ts'

const usualMode = 0o644

/**
 * Writes a file of the user's project whole or not at all: if the disk is full, the old file stays. It keeps the mode, and
 * the target of a link.
 * @throws {CommandError} with exit code 2, naming the file
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const path = await realpath(file).catch(() => resolve(file))
  const besides = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    const before = await stat(path).catch(() => undefined)
    const handle = await open(besides, 'wx', before === undefined ? usualMode : before.mode & 0o777)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(besides, path)
  } catch (error) {
    await rm(besides, { force: true }).catch(() => undefined)
    throw new CommandError(
      wholeSentence(
        `${fileError('write', file, error).message}; the old file is unchanged, and what was fetched is kept for the next run`,
      ),
      { exitCode: 2, cause: error },
    )
  }
}
