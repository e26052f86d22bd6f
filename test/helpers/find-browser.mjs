import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, win32 } from 'node:path'

/**
 * @typedef {object} Machine what is looked at; tests hand in one of their own
 * @property {NodeJS.ProcessEnv} env
 * @property {NodeJS.Platform} platform
 * @property {(path: string) => boolean} isProgram
 * @property {(path: string) => boolean} answers whether the program runs at all
 * @property {string | undefined} playwrightPath where Playwright would keep its own browser
 */

const commandNames = [
  // Draws for no screen, as Playwright's own: the tests take an eighth less of the processor.
  'chromium-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
]
const macApplications = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsPrograms = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not there and not allowed are the same answer here.
    return false
  }
}

/** @param {string} path */
const answers = (path) =>
  spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

/**
 * The folder for what the tests download for this user.
 * @param {NodeJS.ProcessEnv} env
 */
export const cacheFolder = (env) =>
  env['HUB_SANDBOX_TEST_CACHE'] ||
  join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hub-sandbox')

/**
 * Where unpackChromium leaves its start script.
 * @param {NodeJS.ProcessEnv} env
 */
export const unpackedChromium = (env) => join(cacheFolder(env), 'chromium', 'start')

/** @param {Machine} machine */
function installed({ env, platform, isProgram: exists, answers: runs }) {
  if (platform === 'win32') {
    return ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData']
      .flatMap((name) => env[name] ?? [])
      .flatMap((folder) => windowsPrograms.map((program) => win32.join(folder, program)))
      .find(exists)
  }
  if (platform === 'darwin') {
    return ['/Applications', join(env['HOME'] ?? '', 'Applications')]
      .flatMap((folder) =>
        macApplications.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
      )
      .find(exists)
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return (
    commandNames
      .flatMap((name) => folders.map((folder) => join(folder, name)))
      // On Ubuntu chromium-browser may be a script that only asks to install a snap.
      .find((path) => exists(path) && runs(path))
  )
}

/**
 * Finds a Chromium-like browser for the tests without installing anything. In order: `CHROME_PATH`;
 * an installed Chrome, Chromium or Edge; Playwright's own; one unpacked earlier into the cache.
 * @param {Partial<Machine>} [overrides]
 * @returns {string | undefined} the program's path
 * @throws {Error} when `CHROME_PATH` is set and names no program
 */
export function findBrowser(overrides = {}) {
  const machine = {
    env: process.env,
    platform: process.platform,
    isProgram,
    answers,
    playwrightPath: undefined,
    ...overrides,
  }
  const chosen = machine.env['CHROME_PATH']
  if (chosen) {
    if (machine.isProgram(chosen)) return chosen
    throw new Error(`CHROME_PATH is ${chosen}, which is not a program`)
  }
  const own = [machine.playwrightPath, unpackedChromium(machine.env)]
  return installed(machine) ?? own.find((path) => path !== undefined && machine.isProgram(path))
}
