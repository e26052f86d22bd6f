import { ConfigError } from '../core/config-error.ts'
import { ControlError } from '../handle/control-error.ts'
import { ListenError } from '../sandbox/listen.ts'
import { StateError } from '../state/errors.ts'
import { FolderError, LockedError } from '../state/lock.ts'
import { CommandError } from './command-error.ts'

/** What the sandbox itself says is for whoever calls it by HTTP. */
const controlTokenMissing =
  'The sandbox asks for its control token: give the one it was started with by --control-token or HUB_SANDBOX_CONTROL_TOKEN.'

/**
 * What to say of a failure, and the exit code: 2 where the user asked for what cannot be (flags, a port,
 * a data folder in use or that cannot be one, fixtures, a value that a call refuses), 1 for all else.
 */
export function describeFailure(error: unknown): { message: string; exitCode: number } {
  if (
    error instanceof ConfigError ||
    error instanceof LockedError ||
    error instanceof FolderError
  ) {
    return { message: error.message, exitCode: 2 }
  }
  if (error instanceof ListenError) return { message: error.message, exitCode: 2 }
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof ControlError && error.code === 'control_token_required') {
    return { message: controlTokenMissing, exitCode: 1 }
  }
  if (error instanceof ControlError) {
    // What the sandbox cannot make sense of was typed: what it may not do, or has not, is another matter.
    return { message: error.message, exitCode: error.status === 400 ? 2 : 1 }
  }
  if (error instanceof StateError) return { message: error.message, exitCode: 1 }
  if (isFolderGone(error)) {
    return { message: 'The folder that this was called in is gone: go to another.', exitCode: 2 }
  }
  return {
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    exitCode: 1,
  }
}

/** The system tells nothing but that it cannot say where this is. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'
}
