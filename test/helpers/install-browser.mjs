import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackedChromium } from './find-browser.mjs'

/** Debian's packages, and what runs of each; the first is not to be had everywhere. */
const packages = ['chromium-headless-shell', 'chromium']

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
function succeeds(command, args, options = {}) {
  return spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options }).status === 0
}

/**
 * Names the packages that `apt-get --simulate install` would put on the machine.
 * @param {string} simulation its output
 * @returns {string[]} as `name=version`, for no other version may be fetched instead
 */
export function packagesToUnpack(simulation) {
  return [...simulation.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm)].map(
    ([, name, version]) => `${name}=${version}`,
  )
}

/**
 * A start script for a Chromium whose libraries, fonts and configuration are below a folder of ours.
 * @param {string} root the folder that stands for `/`
 * @param {string[]} libraries folders of shared libraries below it
 * @param {string} program
 */
export function startScript(root, libraries, program) {
  return `#!/bin/sh
root='${root.replaceAll("'", String.raw`'\''`)}'
export LD_LIBRARY_PATH="${libraries.map((path) => `$root/${path}`).join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_SYSROOT="$root"
exec "$root/usr/lib/chromium/${program}" "$@"
`
}

/**
 * The folders below the root that hold shared libraries: those of the machine's architecture and, as
 * for PulseAudio, the ones right inside them.
 * @param {string} root
 */
export function libraryFolders(root) {
  const folders = (/** @type {string} */ base) =>
    readdirSync(join(root, base), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${base}/${entry.name}`)
  return ['lib', 'usr/lib']
    .filter((base) => existsSync(join(root, base)))
    .flatMap(folders)
    .filter((folder) => folder.includes('-linux-'))
    .flatMap((folder) => [folder, ...folders(folder)])
    .filter((folder) => readdirSync(join(root, folder)).some((name) => name.includes('.so')))
}

/**
 * Fetches Debian's chromium and what the machine lacks of its dependencies, and unpacks them into
 * the user's cache. Needs neither root nor a system-wide package index.
 * @param {{ env?: NodeJS.ProcessEnv, status?: string }} [options] status: the list of installed packages
 */
export function unpackChromium({ env = process.env, status = '/var/lib/dpkg/status' } = {}) {
  const start = unpackedChromium(env)
  const folder = dirname(start)
  const debs = join(folder, 'packages')
  const state = join(folder, 'apt')
  rmSync(folder, { recursive: true, force: true })
  for (const path of [debs, join(state, 'lists', 'partial'), join(state, 'cache', 'partial')]) {
    mkdirSync(path, { recursive: true })
  }
  const apt = [
    ['-o', `Dir::State=${state}`],
    ['-o', `Dir::State::status=${status}`],
    ['-o', `Dir::Cache=${join(state, 'cache')}`],
    ['-o', 'Debug::NoLocking=true'],
  ].flat()
  if (!succeeds('apt-get', [...apt, 'update', '-qq'])) return false
  const simulate = (/** @type {string} */ name) => {
    const args = [...apt, '--simulate', '--no-install-recommends', 'install', name]
    const { status, stdout } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 2],
    })
    return status === 0 ? packagesToUnpack(stdout) : []
  }
  const found = packages
    .map((program) => ({ program, versions: simulate(program) }))
    .find(({ versions }) => versions.length > 0)
  if (found === undefined) return false
  if (!succeeds('apt-get', [...apt, 'download', '-qq', ...found.versions], { cwd: debs })) {
    return false
  }
  const root = join(folder, 'root')
  for (const deb of readdirSync(debs)) {
    if (!succeeds('dpkg-deb', ['-x', join(debs, deb), root])) return false
  }
  for (const path of [debs, state]) rmSync(path, { recursive: true })
  writeFileSync(start, startScript(root, libraryFolders(root), found.program))
  chmodSync(start, 0o755)
  return succeeds(start, ['--version'])
}

/** Installs a package of the system; only root may. */
function installPackage() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '-qq', '--no-install-recommends']
  return (
    succeeds('apt-get', ['update', '-qq'], { env }) &&
    packages.some((name) => succeeds('apt-get', [...install, name], { env }))
  )
}

function installPlaywrights() {
  const cli = fileURLToPath(new URL('../../node_modules/@playwright/test/cli.js', import.meta.url))
  return succeeds(process.execPath, [cli, 'install', 'chromium'])
}

/**
 * Installs a browser for the tests by the first way that works on this machine. What it does is
 * reported on stderr.
 * @returns {boolean} whether one was installed; findBrowser then finds it
 */
export function installBrowser() {
  process.stderr.write('hub-sandbox: no browser found, installing Chromium\n')
  const hasApt = existsSync('/usr/bin/apt-get')
  const isRoot = process.getuid?.() === 0
  return (hasApt && (isRoot ? installPackage() : unpackChromium())) || installPlaywrights()
}
