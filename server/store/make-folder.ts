import { mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from './errors.ts'

/**
 * Creates a private folder and its parents. Node's recursive mkdir never returns below an existing folder in which
 * nothing can be created, such as /proc.
 * @returns the folders with new names, to be synced if the names must survive a power cut
 */
export function makeFolder(path: string): readonly string[] {
  if (isFolder(path)) return []
  const missing = [resolve(path)]
  for (let folder = dirname(resolve(path)); !isThere(folder); folder = dirname(folder)) {
    missing.push(folder)
    if (folder === dirname(folder)) break
  }
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Another process has just created it; if it is not a folder, creating the next one fails.
      const isThere = errorCode(error) === 'EEXIST'
      if (!isThere || (folder === missing[0] && !isFolder(folder))) throw error
    }
  }
  return missing.map((folder) => dirname(folder))
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() === true
}

function isThere(path: string): boolean {
  return look(path) !== undefined
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
