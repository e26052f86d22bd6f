import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Folder of the package. Sources and bundle are at different depths below it; in the desktop app it is inside an
 * archive.
 */
export const packageRoot = find(dirname(fileURLToPath(import.meta.url)))

function find(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder)
    throw new Error('the package of hub-sandbox is incomplete: no package.json')
  return find(parent)
}

export const packageVersion = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
).version
