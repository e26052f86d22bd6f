import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeOptions } from '../../server/cli/exec/node-options.ts'
import { userCaches } from '../../server/core/user-caches.ts'
import { cacheFolder } from './find-browser.mjs'

const guard = new URL('usual-port.mjs', import.meta.url).href

/** Variable with the folder of all homes of a run. */
const homesVariable = 'HUB_SANDBOX_TEST_HOMES'

/** Variables that name the user's folders, sandbox and accounts; all but those of the tests themselves. */
const ofTheUser =
  /^(XDG_\w+_HOME|HF_\w+|OAUTH_\w+|OPENID_\w+|HUB_SANDBOX_(?!(TEST_\w+|WHOLE_AUDITS|PAUSES)$)\w+)$/

/**
 * Returns what tests share with the user, by the variables that programs read: downloads, and the settings by which
 * registries are reached. All else in the user's home is out of their reach.
 */
function sharedWithUser(env: NodeJS.ProcessEnv): Record<string, string> {
  const home = homedir()
  const caches = userCaches({ platform: process.platform, env, home }) ?? join(home, '.cache')
  const npmCache = process.platform === 'win32' ? join(caches, 'npm-cache') : join(home, '.npm')
  const settings = { GOENV: join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'go', 'env') }
  return {
    HUB_SANDBOX_TEST_CACHE: cacheFolder(env),
    PLAYWRIGHT_BROWSERS_PATH: join(caches, 'ms-playwright'),
    CYPRESS_CACHE_FOLDER: join(caches, 'Cypress'),
    PIP_CACHE_DIR: join(caches, 'pip'),
    npm_config_cache: npmCache,
    // Its logs, and when it last looked for a newer version, would be written there too.
    npm_config_logs_max: '0',
    npm_config_update_notifier: 'false',
    npm_config_userconfig: join(home, '.npmrc'),
    ...Object.fromEntries(Object.entries(settings).filter(([, path]) => existsSync(path))),
  }
}

/**
 * Prepares the homes of the workers that this process starts, which enter theirs by {@link enterOwnHome}: from here on,
 * no process of the run reaches a sandbox at the usual port. The folder is deleted when this process ends.
 */
export function prepareHomes(env: NodeJS.ProcessEnv = process.env): void {
  if (env[homesVariable] !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-homes-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  Object.assign(env, {
    ...sharedWithUser(env),
    ...env,
    [homesVariable]: folder,
    NODE_OPTIONS: nodeOptions(env['NODE_OPTIONS'], [guard]),
  })
}

/** Gives this process, a worker of the tests, and all that it starts a home of its own. */
export function enterOwnHome(
  env: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): void {
  const homes = env[homesVariable]
  if (homes === undefined) throw new Error(`${homesVariable} is not set: call prepareHomes() first`)
  const home = join(homes, String(process.pid))
  mkdirSync(home, { recursive: true })
  for (const name of Object.keys(env)) if (ofTheUser.test(name)) delete env[name]
  env['HOME'] = home
  if (platform === 'win32') {
    env['USERPROFILE'] = home
    env['APPDATA'] = join(home, 'AppData', 'Roaming')
    env['LOCALAPPDATA'] = join(home, 'AppData', 'Local')
  }
}
