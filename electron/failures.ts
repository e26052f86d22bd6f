import { ListenError } from '../server/app/open-listener.ts'
import { ConfigError } from '../server/core/config-error.ts'
import { LockedError, type LockHolder } from '../server/store/lock.ts'
import { messageOf } from '../server/core/background.ts'

/** Fix for a failed start. */
export type Fix = { kind: 'show'; holder: LockHolder & { url: string } } | { kind: 'free-port' }

export interface Failure {
  message: string
  detail: string
  /** Label of the button for the fix; absent if there is none. */
  offer?: { label: string; fix: Fix }
}

/** Describes a failed start for a dialog. */
export function explainFailure(error: unknown, subject = 'The sandbox'): Failure {
  const message = `${subject} could not be started`
  const detail = messageOf(error)
  if (error instanceof LockedError) {
    const { url, ...holder } = error.holder
    if (url === undefined) return { message, detail }
    return {
      message: 'The sandbox is already running',
      detail,
      offer: { label: 'Show', fix: { kind: 'show', holder: { ...holder, url } } },
    }
  }
  if (error instanceof ListenError) {
    return { message, detail, offer: { label: 'Use a Free Port', fix: { kind: 'free-port' } } }
  }
  if (error instanceof ConfigError) return { message: `${subject} cannot be used`, detail }
  return { message, detail }
}
