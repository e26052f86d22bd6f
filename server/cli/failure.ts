import { hostname } from 'node:os'
import { ownCommand } from '../app/config/own-command.ts'
import { ConfigError } from '../core/config-error.ts'
import { commandText } from '../core/shell-words.ts'
import { ControlError } from '../web/control-error.ts'
import { ListenError } from '../app/open-listener.ts'
import { StateError } from '../store/errors.ts'
import { FolderError, LockedError } from '../store/lock.ts'
import { CommandError } from './command-error.ts'

/** The sandbox's own message is meant for HTTP clients. */
const controlTokenMissing =
  'The sandbox requires its control token: pass it with --control-token or HUB_SANDBOX_CONTROL_TOKEN.'

/**
 * Returns the message and exit code of a failure: 2 for invalid usage (flags, a port,
 * an unusable data folder, fixtures, an invalid value of a call), 1 for anything else.
 */
export function describeFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof LockedError) return { message: describeHolder(error), exitCode: 2 }
  if (error instanceof ConfigError || error instanceof FolderError) {
    return { message: error.message, exitCode: 2 }
  }
  if (error instanceof ListenError) return { message: error.message, exitCode: 2 }
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof ControlError && error.code === 'control_token_required') {
    return { message: controlTokenMissing, exitCode: 1 }
  }
  if (error instanceof ControlError) {
    // An invalid value was typed by the user; a conflict or missing item is not a usage error.
    const isUsage = error.status === 400 && !namesNothing(error)
    return { message: error.message, exitCode: isUsage ? 2 : 1 }
  }
  if (error instanceof StateError) return { message: error.message, exitCode: 1 }
  if (isFolderGone(error)) {
    return { message: 'The current folder no longer exists. Change to another one.', exitCode: 2 }
  }
  return {
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    exitCode: 1,
  }
}

/** Detects a value that is a name of nothing: to the control API it is an invalid value, such as a `user` in a body. */
function namesNothing({ message }: ControlError): boolean {
  return message.startsWith('There is no ')
}

/** Says how to use or stop the sandbox that holds a data folder. */
function describeHolder({ message, holder }: LockedError): string {
  const { url, host } = holder
  if (url === undefined || host !== hostname()) return message
  const stop = commandText([...ownCommand(), 'stop', '--url', url])
  return `${message} To use that sandbox, open ${url}/_sandbox/. To stop it, run "${stop}".`
}

/** Detects the system error for a deleted current folder. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'
}
