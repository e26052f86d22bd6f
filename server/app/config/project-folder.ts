import { createHash } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { defaultFile, findFixturesFile, locateFixtures } from '../../fixtures/find-file.ts'
import { userDataFolder } from './data-folder.ts'

const projects = 'projects'

/**
 * Returns the data folder of a fixtures file: each has its own, so that no project serves the state of another. Its name
 * begins with that of the file's folder, for people who look.
 * @param file path of an existing file
 * @param base data folder of the user
 */
export function projectDataFolder(file: string, base = userDataFolder()): string {
  const path = realpathSync(file)
  const name = basename(dirname(path)).replaceAll(/[^\w.-]+/g, '-')
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  return join(base, projects, `${name}-${hash}`)
}

/** Returns the data folder that a start in a folder has by default. */
export function defaultDataFolder(
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const named = env['HUB_SANDBOX_FIXTURES'] || undefined
  const file = named === undefined ? findFixturesFile(folder) : locateFixtures(named, folder)
  const user = userDataFolder()
  if (file === undefined || file === defaultFile) return user
  try {
    return projectDataFolder(file)
  } catch {
    // A file that is missing or unreadable was never served.
    return user
  }
}

/** Lists the data folders of all fixtures files that were served. */
export function projectDataFolders(base = userDataFolder()): string[] {
  try {
    const folder = join(base, projects)
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    // None was served yet, or the folder belongs to another user.
    return []
  }
}
