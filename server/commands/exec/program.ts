import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isForeground } from '../../state/processes.ts'
import type { RunOutcome } from './run-part.ts'
import { endingGraceMs, type Signals } from './signals.ts'
import { windowsCommand } from './windows-command.ts'

/** npm passes on what the terminal has sent to all: the same signal within this time is the same Ctrl-C. */
const echoMs = 500
const groupCheckMs = 50

/** The program could not be started; the code is what a shell ends with. */
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
  tell(line: string): void
  /** Told of the means to end it, while it runs. */
  onStart(kill: () => void): void
}

/**
 * Runs a program with the terminal of this one until it ends. Signals are for it meanwhile; if it is still there 5 s
 * after one, or when a second comes, it is killed.
 *
 * At a terminal it belongs to the group of this process, since it could not read from the terminal otherwise; the
 * terminal itself then tells both of Ctrl-C, and what the program makes of it is its own affair: many only drop the
 * line that was being typed. Elsewhere it has a group of its own, so that what it has started ends with it.
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
      // Ctrl-C is nothing to be killed for.
      if (signal === 'SIGINT') return
    } else if (!isSecond) signalProgram(child, hasGroup, signal)
    last = { signal, at }
    if (isSecond) kill()
    else {
      killed ??= setTimeout(() => {
        request.tell(
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
      // A signal that could not be sent is told as an error, too, and is none of the start.
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
    return new NotStartedError(`${program} cannot be run: ${why}.`, 126, { cause: error })
  }
  const isInstalled = existsSync(join('node_modules', '.bin', program))
  const hint = isInstalled ? ` It is in node_modules/.bin: run "npx --no ${program}".` : ''
  return new NotStartedError(`There is no command ${program}.${hint}`, 127, { cause: error })
}

/** Why what is there cannot be run, or nothing where there is no such program. */
function whyNotRun(program: string, { code, message }: NodeJS.ErrnoException): string | undefined {
  // A name alone is looked for on the path.
  const isThere = /[/\\]/.test(program) && existsSync(program)
  if (isThere && statSync(program).isDirectory()) return 'it is a folder'
  if (code === 'EACCES') return 'it may not be executed'
  if (code !== 'ENOENT') return message
  return isThere ? 'what its first line names is not there' : undefined
}

/** Whether the system has sent the signal to the program as well. */
function reachesItAnyway(signal: NodeJS.Signals, isAtTerminal: boolean): boolean {
  // Windows tells all programs at a console of what happens there, and has no other signals.
  if (process.platform === 'win32') return true
  return isAtTerminal && ['SIGINT', 'SIGQUIT'].includes(signal) && isForeground()
}

function signalProgram(child: ChildProcess, hasGroup: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    // Ending a program ends nothing that it has started.
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' })
    return
  }
  if (!hasGroup) {
    child.kill(signal)
    return
  }
  sendToGroup(child.pid, signal)
}

/** @returns whether there still is such a group */
function sendToGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    // macOS says EPERM where all that is left of a group has ended and was not waited for.
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** What the program had started may need longer than itself. */
async function untilGroupIsGone({ pid = 0 }: ChildProcess, deadline: number): Promise<void> {
  while (sendToGroup(pid, 0)) {
    if (performance.now() > deadline) {
      sendToGroup(pid, 'SIGKILL')
      return
    }
    await sleep(groupCheckMs)
  }
}
