import { dirname } from 'node:path'
import { ListenError } from '../server/app/open-listener.ts'
import { messageOf } from '../server/core/background.ts'
import { ConfigError } from '../server/core/config-error.ts'
import { LockedError } from '../server/store/lock.ts'

/** Fix for a failed start. */
export type Fix =
  | { kind: 'show'; holder: { url: string; controlToken?: string } }
  | { kind: 'free-port' }

/** Button of a dialog, with the fix that it applies. */
export interface Offer {
  label: string
  fix: Fix
}

export interface Failure {
  message: string
  detail: string
  /** Fixes, the advised one first; absent if there are none. */
  offers?: readonly Offer[]
}

const freePort: Offer = { label: 'Use a Free Port', fix: { kind: 'free-port' } }

const openOther = (holder: { url: string; controlToken?: string }): Offer => ({
  label: 'Open That One',
  fix: { kind: 'show', holder },
})

/** Describes a failed start for a dialog. It names no commands: an installed app has no command line. */
export function explainFailure(error: unknown, subject = 'The sandbox'): Failure {
  const message = `${subject} could not be started`
  const detail = messageOf(error)
  if (error instanceof LockedError) return explainLock(error, message)
  if (error instanceof ListenError) return explainPort(error, message)
  if (error instanceof ConfigError) return { message: `${subject} cannot be used`, detail }
  return { message, detail }
}

function explainLock({ holder, file, message: detail }: LockedError, message: string): Failure {
  const { url, pid, startedAt } = holder
  if (url === undefined) return { message, detail }
  return {
    message: 'The sandbox is already running',
    detail: `It runs at ${url} (process ${pid}, since ${startedAt}) and uses the data folder ${dirname(file)}. Open that one, or stop it and start hub-sandbox again.`,
    offers: [openOther({ ...holder, url })],
  }
}

function explainPort(
  { port, sandboxUrl, cause, message: detail }: ListenError,
  message: string,
): Failure {
  if (sandboxUrl !== undefined) {
    return {
      message: 'Another sandbox uses the port',
      detail: `Port ${port} is in use by the sandbox at ${sandboxUrl}. Open that one, or use a free port for this one.`,
      offers: [openOther({ url: sandboxUrl }), freePort],
    }
  }
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return {
      message,
      detail: `Port ${port} is in use by another program. Use a free port, or quit that program and start hub-sandbox again.`,
      offers: [freePort],
    }
  }
  if (code === 'EACCES') {
    return {
      message,
      detail: `Port ${port} is reserved for administrators. Use a free port.`,
      offers: [freePort],
    }
  }
  return { message, detail }
}
