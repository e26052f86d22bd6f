import { join } from 'node:path'
import { buildPart, isBuilt } from './build.mjs'
import { install, isInstalled } from './install.mjs'
import { withLock } from './lock.mjs'

/** @typedef {import('./build.mjs').Part} Part */

/** @param {string} root */
const lockOf = (root) => join(root, 'dist', '.lock')

/**
 * Installs and builds missing or outdated parts. Safe to run twice at once.
 * @param {string} root the repository
 * @param {Part[]} parts parts to build
 */
export async function prepare(root, parts) {
  const ready = () => isInstalled(root) && parts.every((part) => isBuilt(root, part))
  if (ready()) return
  await withLock(lockOf(root), async () => {
    if (!isInstalled(root)) await install(root)
    for (const part of parts) if (!isBuilt(root, part)) await buildPart(root, part)
  })
}

/**
 * Builds the parts, even if they are up to date.
 * @param {string} root the repository
 * @param {Part[]} parts
 */
export async function build(root, parts) {
  await withLock(lockOf(root), async () => {
    if (!isInstalled(root)) await install(root)
    for (const part of parts) await buildPart(root, part)
  })
}
