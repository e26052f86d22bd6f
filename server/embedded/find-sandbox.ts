import { omitUndefined } from '../core/omit-undefined.ts'
import { join } from 'node:path'
import { userDataFolder } from '../config/data-folder.ts'
import { usualUrl } from '../contract/usual-address.ts'
import { type LockDetails, readLock } from '../state/lock.ts'
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
 * Finds a sandbox by its address (or `HUB_SANDBOX_URL`), else by the lock of the data folder, else at the usual port.
 * A control token goes where it belongs: that of the lock to the address of the lock, that of the environment to the
 * address of the environment, where it has one.
 * @param giver what the address is given by, for the message
 * @throws {ConnectError} when what was given is no address
 */
export function findSandbox(
  { url, data, controlToken }: WhichSandbox,
  giver: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): FoundSandbox {
  const folder = data ?? (env['HUB_SANDBOX_DATA'] || userDataFolder())
  const lock: LockDetails = readLock(folder) ?? {}
  const named = env['HUB_SANDBOX_URL'] || undefined
  const asked = url ?? named
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

function isAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
