import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './find-browser.mjs'

const cache = join(cacheFolder(process.env), 'tests')

export interface Installed {
  /** Folder of packages of others. */
  folder: string
  /** Why there are none, if so: a registry may be out of reach. */
  obstacle?: string
}

/**
 * Packages of others for tests that compare with them, installed once for each list.
 * @param wanted names and versions: what is installed follows from them alone
 * @param install puts them into a folder; its failure is the obstacle
 */
export async function installCached(
  name: string,
  wanted: readonly string[],
  install: (folder: string) => Promise<unknown>,
): Promise<Installed> {
  const key = createHash('sha256').update(wanted.join('\n')).digest('hex').slice(0, 12)
  const folder = join(cache, `${name}-${key}`)
  if (existsSync(folder)) return { folder }
  mkdirSync(cache, { recursive: true })
  // Renamed when it is whole: an install that broke off must not count.
  const making = mkdtempSync(join(cache, `${name}-`))
  try {
    await install(making)
    renameSync(making, folder)
  } catch (error) {
    // Somebody else was faster: theirs is as good.
    if (existsSync(folder)) return { folder }
    const why = String((error as { stderr?: string }).stderr || error)
      .trim()
      .split('\n')
      .at(-1)
    return { folder, obstacle: `${wanted.join(', ')} cannot be installed: ${why}` }
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  return { folder }
}
