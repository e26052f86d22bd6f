import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingBuild } from './missing-build.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

const npmScript = process.env['npm_execpath']

/** Runs npm as the launcher does: by its script where npm itself runs this, else from the path. */
export function npm(
  args: readonly string[],
  cwd: string,
  timeout = 240_000,
): SpawnSyncReturns<string> {
  const options = { cwd, encoding: 'utf8', timeout } as const
  return npmScript !== undefined && basename(npmScript) === 'npm-cli.js'
    ? spawnSync(process.execPath, [npmScript, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** @returns what a program printed that ended well */
export function outputOf({ status, stdout, stderr }: SpawnSyncReturns<string>): string {
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return stdout
}

export interface Packed {
  /** A folder with nothing but the package, installed from its tarball. */
  folder: string
  /** Files of the tarball. */
  files: readonly string[]
  /** Why there is no package to look at, if so. */
  obstacle?: string
}

/** Packs this package and installs it as its users do; offline, since it needs nothing beside itself. */
export function installPacked(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-package-'))
  const { tarball, files, obstacle } = packInto(folder)
  if (obstacle !== undefined) return { folder, files, obstacle }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  outputOf(npm(['install', '--offline', '--no-audit', '--no-fund', tarball], folder))
  return { folder, files }
}

/** Packs this package. */
export function packInto(folder: string): Omit<Packed, 'folder'> & { tarball: string } {
  const nothing = { tarball: '', files: [] }
  if (npm(['--version'], folder).status !== 0) return { ...nothing, obstacle: 'npm cannot run' }
  for (const part of ['server/cli.cjs', 'library/index.cjs', 'types/package.json']) {
    const obstacle = missingBuild(part)
    if (obstacle !== undefined) return { ...nothing, obstacle }
  }
  // The scripts would build all anew beneath the tests that run beside this one.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename, files }] = JSON.parse(outputOf(npm(pack, root))) as [
    { filename: string; files: { path: string }[] },
  ]
  return { tarball: filename, files: files.map(({ path }) => path) }
}
