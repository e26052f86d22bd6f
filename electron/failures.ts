import { ListenError } from '../server/sandbox/listen.ts'
import { ConfigError } from '../server/core/config-error.ts'
import { LockedError, type LockHolder } from '../server/state/lock.ts'
import { messageOf } from '../server/core/background.ts'

/** What the user can do about a start that failed. */
export type Remedy = { kind: 'show'; holder: LockHolder & { url: string } } | { kind: 'free-port' }

export interface Failure {
  message: string
  detail: string
  /** What the button for the remedy says; absent: there is none but to close. */
  offer?: { label: string; remedy: Remedy }
}

/** Puts a failed start into the words of a dialog. */
export function explainFailure(error: unknown, subject = 'The sandbox'): Failure {
  const message = `${subject} could not be started`
  const detail = messageOf(error)
  if (error instanceof LockedError) {
    const { url, ...holder } = error.holder
    if (url === undefined) return { message, detail }
    return {
      message: 'The sandbox is already running',
      detail,
      offer: { label: 'Show It', remedy: { kind: 'show', holder: { ...holder, url } } },
    }
  }
  if (error instanceof ListenError) {
    return { message, detail, offer: { label: 'Use a Free Port', remedy: { kind: 'free-port' } } }
  }
  if (error instanceof ConfigError) return { message: `${subject} cannot be used`, detail }
  return { message, detail }
}
