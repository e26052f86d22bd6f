import { omitUndefined } from '../core/omit-undefined.ts'
import { resolve } from 'node:path'
import { userDataFolder } from '../app/config/data-folder.ts'
import { defaultDataFolder, projectDataFolders } from '../app/config/project-folder.ts'
import { ownCommand } from '../app/config/own-command.ts'
import { usualUrl } from '../contract/usual-address.ts'
import { commandText } from '../core/shell-words.ts'
import { type LockDetails, readLock, readLockIfAllowed } from '../store/lock.ts'
import { ConnectError } from './connect-error.ts'

/** Options that choose a sandbox. */
export interface WhichSandbox {
  url?: string
  /** Data folder with the lock file of the sandbox. */
  data?: string
  controlToken?: string
}

/** URL and credentials of a sandbox. */
export interface FoundSandbox {
  /** Root of the sandbox, without a trailing slash. */
  url: string
  controlToken?: string
  /** Path of the certificate of this user's sandbox, if any. */
  certificatePath?: string
}

/**
 * Finds a sandbox by its URL, by the lock in a named folder, by `HUB_SANDBOX_URL`, by the lock of a running project (see
 * {@link folderOfRunning}), or at the default port, in this order. If a folder is named, other places are not searched:
 * another sandbox would be the wrong one.
 * A control token is sent only to its own sandbox: that of the lock to the URL of the lock, that of the environment to the
 * URL of the environment, if set.
 * @param giver source of the URL, for the message
 * @throws {ConnectError} for an invalid URL, or a named folder without a sandbox
 * @throws {StateError} if the lock of a named folder is unreadable
 */
export function findSandbox(
  { url, data, controlToken }: WhichSandbox,
  giver: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): FoundSandbox {
  const named = env['HUB_SANDBOX_URL'] || undefined
  const givenFolder = data ?? (env['HUB_SANDBOX_DATA'] || undefined)
  const folder = resolve(givenFolder ?? folderOfRunning(process.cwd(), env))
  const isAddressed = url !== undefined || named !== undefined
  const isWanted = data !== undefined || (givenFolder !== undefined && !isAddressed)
  // The default folder may belong to another user; continue with the default port.
  const lock: LockDetails = (isWanted ? readLock(folder) : readLockIfAllowed(folder)) ?? {}
  const asked = url ?? (data === undefined ? named : requireUrl(lock, folder))
  if (asked !== undefined && !isAddress(asked)) {
    const by = url === undefined ? 'HUB_SANDBOX_URL' : giver
    throw new ConnectError('address', `${by} must be a URL such as ${usualUrl}, not ${asked}`)
  }
  const wanted = withoutSlash(asked ?? lock.url ?? usualUrl)
  const isLocked = wanted === lock.url || wanted === lock.localUrl
  const isNamed = named === undefined || wanted === withoutSlash(named)
  // The name for other machines may not resolve here.
  const reached = isLocked ? (lock.localUrl ?? wanted) : wanted
  return {
    url: reached,
    ...omitUndefined({
      controlToken:
        controlToken ??
        (isNamed ? env['HUB_SANDBOX_CONTROL_TOKEN'] || undefined : undefined) ??
        (isLocked ? lock.controlToken : undefined),
    }),
    ...(reached.startsWith('https:')
      ? { certificatePath: resolve(givenFolder ?? userDataFolder(), 'certificate.pem') }
      : {}),
  }
}

/**
 * Returns the data folder of the sandbox that a command means: that of its own project (a start here has it by default) if
 * it runs, else that of the default fixtures. In a folder without fixtures of its own it may also be that of the project
 * that was started last: elsewhere `stop` and `reset` would reach the wrong one.
 */
function folderOfRunning(cwd: string, env: Readonly<Record<string, string | undefined>>): string {
  const own = defaultDataFolder(cwd, env)
  const startOf = (folder: string) => {
    const lock = readLockIfAllowed(folder)
    return lock?.url === undefined ? undefined : lock.startedAt
  }
  const preferred = [own, userDataFolder()].find((folder) => startOf(folder) !== undefined)
  if (preferred !== undefined || own !== userDataFolder()) return preferred ?? own
  const others = projectDataFolders().flatMap((folder) => {
    const startedAt = startOf(folder)
    return startedAt === undefined ? [] : [{ folder, startedAt }]
  })
  others.sort((one, other) => other.startedAt.localeCompare(one.startedAt))
  return others[0]?.folder ?? own
}

function requireUrl({ url }: LockDetails, folder: string): string {
  if (url !== undefined) return url
  const start = commandText([...ownCommand(), 'start', '--data', folder])
  throw new ConnectError(
    'silent',
    `No sandbox is running with the data folder ${folder}.\nStart one with "${start}".`,
  )
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
