import { mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from './errors.ts'

/**
 * Makes a folder, for its user alone, and those above it. Node's own recursive mkdir never returns below a folder in
 * which nothing can be made although it is there, such as /proc.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const missing = [resolve(path)]
  for (let folder = dirname(resolve(path)); !isThere(folder); folder = dirname(folder)) {
    missing.push(folder)
    if (folder === dirname(folder)) break
  }
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Somebody else has just made it; what is in the way of the folders below it is told by the next of them.
      const isThere = errorCode(error) === 'EEXIST'
      if (!isThere || (folder === missing[0] && !isFolder(folder))) throw error
    }
  }
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
