import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isForeground } from '../../store/processes.ts'
import type { RunOutcome } from './run-part.ts'
import { endingGraceMs, type Signals } from './signals.ts'
import { windowsCommand } from './windows-command.ts'

/** npm forwards signals that the terminal already sent to all: a repetition within this time is the same Ctrl-C. */
const echoMs = 500
const groupCheckMs = 50

/** Error of a program that cannot be started, with the exit code of a shell. */
export class NotStartedError extends Error {
  override readonly name = 'NotStartedError'
  readonly exitCode: 126 | 127

  constructor(message: string, exitCode: 126 | 127, options: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

export interface ProgramRequest {
  command: readonly string[]
  environment: Record<string, string>
  signals: Signals
  print(line: string): void
  /** Gets a function that kills the program while it runs. */
  onStart(kill: () => void): void
}

/**
 * Runs a program in the terminal of this process until it ends, and forwards signals to it. If it still runs 5 s
 * after a signal, or at a second one, it is killed.
 *
 * At a terminal the program is in the process group of this process, since it could not read from the terminal otherwise.
 * The terminal then sends Ctrl-C to both, and the program handles it as it likes: many only clear the
 * current line. Elsewhere it has its own group, so that its child processes end with it.
 * @throws {NotStartedError}
 */
export async function runProgram(request: ProgramRequest): Promise<RunOutcome> {
  const { command, signals } = request
  const isAtTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  const hasGroup = process.platform !== 'win32' && !isAtTerminal
  const child = start(request, hasGroup)
  const ended = untilEnded(child, command)
  const kill = () => signalProgram(child, hasGroup, 'SIGKILL')
  request.onStart(kill)

  let last: { signal: NodeJS.Signals; at: number } | undefined
  let killed: NodeJS.Timeout | undefined
  const giveBack = signals.handTo((signal) => {
    const at = performance.now()
    const isEcho = last?.signal === signal && at - last.at < echoMs
    if (isEcho) return
    const isSecond = last !== undefined && at - last.at >= echoMs
    if (reachesItAnyway(signal, isAtTerminal)) {
      // Ctrl-C alone does not kill the program.
      if (signal === 'SIGINT') return
    } else if (!isSecond) signalProgram(child, hasGroup, signal)
    last = { signal, at }
    if (isSecond) kill()
    else {
      killed ??= setTimeout(() => {
        request.print(
          `${command[0]} did not end within ${endingGraceMs / 1000} s of ${signal}, and was killed.`,
        )
        kill()
      }, endingGraceMs)
    }
  })
  try {
    const outcome = await ended
    if (hasGroup && last !== undefined) await untilGroupIsGone(child, last.at + endingGraceMs)
    return outcome
  } finally {
    clearTimeout(killed)
    giveBack()
  }
}

function start({ command, environment }: ProgramRequest, hasGroup: boolean): ChildProcess {
  const [file = '', ...args] = command
  const spawned =
    process.platform === 'win32' ? windowsCommand(command) : { file, args, verbatim: false }
  try {
    return spawn(spawned.file, [...spawned.args], {
      stdio: 'inherit',
      env: environment,
      detached: hasGroup,
      windowsVerbatimArguments: spawned.verbatim,
    })
  } catch (error) {
    throw notStarted(command, error as NodeJS.ErrnoException)
  }
}

function untilEnded(child: ChildProcess, command: readonly string[]): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      // A signal that cannot be sent also causes an error event, which is not a failed start.
      if (child.pid === undefined) reject(notStarted(command, error))
    })
    child.once('exit', (code, signal) => {
      if (signal === null) resolve({ exitCode: code ?? 1 })
      else resolve({ exitCode: 128 + constants.signals[signal], signal })
    })
  })
}

function notStarted(command: readonly string[], error: NodeJS.ErrnoException): NotStartedError {
  const [program = ''] = command
  const why = whyNotRun(program, error)
  if (why !== undefined) {
    return new NotStartedError(`Cannot run ${program}: ${why}.`, 126, { cause: error })
  }
  const isInstalled = existsSync(join('node_modules', '.bin', program))
  const hint = isInstalled ? ` It is in node_modules/.bin: run "npx --no ${program}".` : ''
  return new NotStartedError(`Command ${program} not found.${hint}`, 127, { cause: error })
}

/** Returns the reason why an existing program cannot be run; undefined if there is none of this name. */
function whyNotRun(program: string, { code, message }: NodeJS.ErrnoException): string | undefined {
  // A plain name is searched on the path.
  const isThere = /[/\\]/.test(program) && existsSync(program)
  if (isThere && statSync(program).isDirectory()) return 'it is a folder'
  if (code === 'EACCES') return 'it is not executable'
  if (code !== 'ENOENT') return message
  return isThere ? 'the interpreter in its first line does not exist' : undefined
}

/** Returns whether the system has sent the signal to the program as well. */
function reachesItAnyway(signal: NodeJS.Signals, isAtTerminal: boolean): boolean {
  // Windows sends console events to all programs of the console, and has no other signals.
  if (process.platform === 'win32') return true
  return isAtTerminal && ['SIGINT', 'SIGQUIT'].includes(signal) && isForeground()
}

/** @param hasGroup whether the program is the first of a process group, whose programs get the signal, too */
export function signalProgram(
  child: ChildProcess,
  hasGroup: boolean,
  signal: NodeJS.Signals,
): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    // Killing a program does not kill its children.
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' })
    return
  }
  if (!hasGroup) {
    child.kill(signal)
    return
  }
  sendToGroup(child.pid, signal)
}

/** @returns whether the group still exists */
function sendToGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    // macOS returns EPERM if a group has only zombies left.
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Waits for child processes, which may need longer than the program itself. */
async function untilGroupIsGone({ pid = 0 }: ChildProcess, deadline: number): Promise<void> {
  while (sendToGroup(pid, 0)) {
    if (performance.now() > deadline) {
      sendToGroup(pid, 'SIGKILL')
      return
    }
    await sleep(groupCheckMs)
  }
}
