import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installPacked, npm, outputOf } from '../packed.ts'

/**
 * Makes a recipe's copy the project that its user has, with this package among its dependencies and in its lock file.
 * @throws {Error} with what npm said
 */
export function addSandboxTo(folder: string): void {
  const { folder: packed, obstacle } = installPacked()
  try {
    if (obstacle !== undefined) throw new Error(obstacle)
    const tarball = readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? ''
    const flags = ['--save-dev', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']
    // Where the lock file says it is, for as long as the copy lives.
    copyFileSync(join(packed, tarball), join(folder, tarball))
    outputOf(npm(['install', ...flags, `./${tarball}`], folder))
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
}
