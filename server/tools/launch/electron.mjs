import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { report, run } from './run.mjs'

/**
 * Whether Electron's binary exists. The package downloads it on first use.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 */
export function hasElectron(root, env = process.env) {
  // Variable with a folder of the user's own binary, which Electron uses unchecked.
  if (env['ELECTRON_OVERRIDE_DIST_PATH']) return true
  const folder = join(root, 'node_modules/electron')
  const pathFile = join(folder, 'path.txt')
  return existsSync(pathFile) && existsSync(join(folder, 'dist', readFileSync(pathFile, 'utf8')))
}

/**
 * Downloads Electron's binary if it is missing.
 * @param {string} root the repository
 * @param {NodeJS.ProcessEnv} [env]
 * @throws {Error} with a fix, if the download fails
 */
export async function provideElectron(root, env = process.env) {
  if (hasElectron(root, env)) return
  report("fetching Electron's program (about 120 MB, once)")
  try {
    await run(process.execPath, ['node_modules/electron/install.js'], { cwd: root })
  } catch (cause) {
    throw new Error(
      "Electron's program could not be fetched. Where its download site is out of reach, name a mirror in ELECTRON_MIRROR or a folder that holds the program in ELECTRON_OVERRIDE_DIST_PATH; `npm start` serves the same dashboard for a browser.",
      { cause },
    )
  }
}
