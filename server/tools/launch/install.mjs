import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { report, run } from './run.mjs'

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Package */

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.hub-sandbox-stamp')

/**
 * Fingerprint of an installation: the locked packages and the platform of their binaries.
 * @param {string} root
 */
export function installStamp(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')
}

/**
 * @param {string} path a lock file, or npm's record of installed packages
 * @returns {Record<string, Package>}
 */
const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** @param {Package} entry */
const isForThisPlatform = ({ os, cpu, libc }) =>
  Boolean(os ?? cpu) &&
  !libc &&
  (os ?? [process.platform]).includes(process.platform) &&
  (cpu ?? [process.arch]).includes(process.arch)

/**
 * Whether npm, run by hand, has already installed the packages of the lock file.
 * @param {string} root
 */
function isInstalledByHand(root) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = packagesOf(record)
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, entry]) => {
    if (path === '') return true
    const present = installed[path]
    if (present) return present.version === entry.version
    return entry.optional === true && !isForThisPlatform(entry)
  })
}

/** @param {string} root */
export function isInstalled(root) {
  const path = stampPath(root)
  const stamp = installStamp(root)
  if (existsSync(path) && readFileSync(path, 'utf8') === stamp) return true
  if (!isInstalledByHand(root)) return false
  writeFileSync(path, stamp)
  return true
}

/** @param {string} root */
export async function install(root) {
  report('installing packages')
  // All packages are development packages, which NODE_ENV=production would leave out.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env['npm_execpath']
  if (npm && basename(npm) === 'npm-cli.js') {
    await run(process.execPath, [npm, ...args], { cwd: root })
  } else {
    // On Windows npm is a batch file, which Node only runs through a shell.
    await run('npm', args, { cwd: root, shell: process.platform === 'win32' })
  }
  writeFileSync(stampPath(root), installStamp(root))
}
