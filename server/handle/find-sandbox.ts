import { omitUndefined } from '../core/omit-undefined.ts'
import { join, resolve } from 'node:path'
import { userDataFolder } from '../config/data-folder.ts'
import { ownCommand } from '../config/own-command.ts'
import { usualUrl } from '../contract/usual-address.ts'
import { commandText } from '../core/shell-words.ts'
import { type LockDetails, readLock, readLockIfAllowed } from '../state/lock.ts'
import { ConnectError } from './connect-error.ts'

/** How one is told which sandbox is meant. */
export interface WhichSandbox {
  url?: string
  /** Data folder, whose lock leads there. */
  data?: string
  controlToken?: string
}

/** Where a sandbox is, and what is needed there. */
export interface FoundSandbox {
  /** Root of the sandbox, without a trailing slash. */
  url: string
  controlToken?: string
  /** Where the certificate of a sandbox of this user is kept, if there is one. */
  certificatePath?: string
}

/**
 * Finds a sandbox by its address, by the lock of a folder that is named, by `HUB_SANDBOX_URL`, by the lock of the usual
 * data folder, or at the usual port, in this order. In a folder that is named it is there or nowhere: what runs elsewhere
 * is not the one that is meant.
 * A control token goes where it belongs: that of the lock to the address of the lock, that of the environment to the
 * address of the environment, where it has one.
 * @param giver what the address is given by, for the message
 * @throws {ConnectError} when what was given is no address, or no sandbox has the folder that is named
 * @throws {StateError} when the lock of a folder that is asked for cannot be read
 */
export function findSandbox(
  { url, data, controlToken }: WhichSandbox,
  giver: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): FoundSandbox {
  const named = env['HUB_SANDBOX_URL'] || undefined
  const givenFolder = data ?? (env['HUB_SANDBOX_DATA'] || undefined)
  const folder = resolve(givenFolder ?? userDataFolder())
  const isAddressed = url !== undefined || named !== undefined
  const isWanted = data !== undefined || (givenFolder !== undefined && !isAddressed)
  // A folder that nobody has asked for may be another user's, and keeps nobody from a sandbox elsewhere.
  const lock: LockDetails = (isWanted ? readLock(folder) : readLockIfAllowed(folder)) ?? {}
  const asked = url ?? (data === undefined ? named : requireUrl(lock, folder))
  if (asked !== undefined && !isAddress(asked)) {
    const by = url === undefined ? 'HUB_SANDBOX_URL' : giver
    throw new ConnectError('address', `${by} must be an address such as ${usualUrl}, not ${asked}`)
  }
  const wanted = withoutSlash(asked ?? lock.url ?? usualUrl)
  const isLocked = wanted === lock.url || wanted === lock.localUrl
  const isNamed = named === undefined || wanted === withoutSlash(named)
  // The name that others know it by may mean nothing here.
  const reached = isLocked ? (lock.localUrl ?? wanted) : wanted
  return {
    url: reached,
    ...omitUndefined({
      controlToken:
        controlToken ??
        (isNamed ? env['HUB_SANDBOX_CONTROL_TOKEN'] || undefined : undefined) ??
        (isLocked ? lock.controlToken : undefined),
    }),
    ...(reached.startsWith('https:') ? { certificatePath: join(folder, 'certificate.pem') } : {}),
  }
}

function requireUrl({ url }: LockDetails, folder: string): string {
  if (url !== undefined) return url
  const start = commandText([...ownCommand(), 'start', '--data', folder])
  throw new ConnectError(
    'silent',
    `No sandbox runs with the data folder ${folder}.\nStart one with "${start}".`,
  )
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
