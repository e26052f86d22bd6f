import { constants } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../core/background.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { commandText } from '../../core/shell-words.ts'
import { readClientEnvironment } from '../client-environment.ts'
import { describeFailure } from '../failure.ts'
import { environmentOfRun } from './environment-of-run.ts'
import type { ExecOptions } from './exec-options.ts'
import { importedModules } from './node-options.ts'
import { partMakers } from './parts.ts'
import { makePrivateFolder } from './private-folder.ts'
import { NotStartedError, runProgram } from './program.ts'
import type { Run, RunOutcome, RunPart, RunPartMaker } from './run-part.ts'
import { startForRun, startOptionsOf, takeRunning } from './sandbox-of-run.ts'
import { catchSignals, InterruptedError, type Signals } from './signals.ts'
import { addressesToWaitFor, waitFor } from './wait-for.ts'

/** Of the command, in the line that says what is run. */
const shownLength = 100

/** What outlives the process unless it is let go of at once. */
interface Abandoned {
  removeFolder?: () => void
  kill?: (() => void) | undefined
}

/**
 * Runs a program against a sandbox and ends this process as the program ended. Whatever was opened for the run is
 * closed again, however it ends.
 * @throws {CommandError} for what was typed wrong, before anything has started
 */
export async function exec(command: readonly string[], options: ExecOptions): Promise<void> {
  const plan = await planRun(command, options)
  const abandoned: Abandoned = {}
  const abandon = () => {
    abandoned.kill?.()
    abandoned.removeFolder?.()
  }
  process.once('exit', abandon)
  // Whoever read what is told has gone, which is nothing for the program to end with.
  process.stderr.on('error', () => undefined)
  const signals = catchSignals(abandon)
  const closing: (() => unknown)[] = []
  let exitCode: number
  try {
    exitCode = await play(plan, { signals, closing, abandoned })
  } catch (error) {
    // What fails after a signal fails for it.
    exitCode = explain(signals.interrupted.aborted ? signals.interrupted.reason : error)
  }
  for (const close of closing.toReversed()) await closeWell(close)
  // What was written last may still be on its way.
  process.stderr.write('', () => process.exit(exitCode))
}

type Plan = Awaited<ReturnType<typeof planRun>>

/** All that can be wrong with what was typed is found here. */
async function planRun(command: readonly string[], options: ExecOptions) {
  const makers = partMakers.filter((maker) => maker.isWanted(options))
  const allowNetwork = options.allowNetwork ?? false
  const modules = importedModules(options.import ?? [])
  const addresses = addressesToWaitFor(options.waitFor ?? [], { allowNetwork })
  const ofParts = []
  for (const maker of makers) ofParts.push((await maker.startOptions?.(options)) ?? {})
  const startOptions = startOptionsOf(options, ofParts)
  return { command, options, makers, modules, addresses, allowNetwork, startOptions }
}

/** The run from its start to the end of the program. Each thing that is opened says how it is closed. */
async function play(
  plan: Plan,
  {
    signals,
    closing,
    abandoned,
  }: { signals: Signals; closing: (() => unknown)[]; abandoned: Abandoned },
): Promise<number> {
  const { command, options, startOptions, makers } = plan
  const { interrupted } = signals
  const folder = await makePrivateFolder()
  abandoned.removeFolder = () => folder.remove()
  closing.push(() => folder.remove())

  const sandbox = await (startOptions === undefined
    ? takeRunning(options)
    : startForRun(startOptions, {
        folder: folder.path,
        onStopRequest: () => signals.stop(),
      }))
  closing.push(() => sandbox.close())
  interrupted.throwIfAborted()
  sandbox.notices.forEach(tell)

  const { connection, isOwn, segments } = sandbox
  const { variables, issuer, version } = await readClientEnvironment(connection, {
    ...options,
    // Gone with the run, as its sandbox is.
    cacheFolder: join(folder.path, 'huggingface'),
  })
  await waitFor(plan.addresses, { ...plan, interrupted, tell })
  const run: Run = {
    command,
    options,
    connection,
    baseUrl: issuer,
    isOwn,
    ...omitUndefined({ segments }),
    folder: folder.path,
    tell,
  }
  const parts = await beginParts(run, makers, { closing, interrupted })
  const environment = await environmentOfRun(run, variables, parts, plan.modules)

  tell(`hub-sandbox ${version} at ${connection.url}, running: ${shortened(commandText(command))}`)
  const outcome = await runProgram({
    command,
    environment,
    signals,
    tell,
    onStart: (kill) => (abandoned.kill = kill),
  })
  abandoned.kill = undefined
  for (const notice of await sandbox.ended()) tell(notice)
  return endParts(parts, outcome, interrupted)
}

async function beginParts(
  run: Run,
  makers: readonly RunPartMaker[],
  { closing, interrupted }: { closing: (() => unknown)[]; interrupted: AbortSignal },
): Promise<RunPart[]> {
  const parts: RunPart[] = []
  for (const maker of makers) {
    const part = await maker.begin(run)
    parts.push(part)
    closing.push(() => part.close?.())
    interrupted.throwIfAborted()
  }
  return parts
}

/** @returns the exit code of the run: the program's, or what a part makes of a run that was fine */
async function endParts(
  parts: readonly RunPart[],
  outcome: RunOutcome,
  interrupted: AbortSignal,
): Promise<number> {
  let { exitCode } = outcome
  for (const part of parts) {
    if (interrupted.aborted) break
    const verdict = await verdictOf(part, { ...outcome, exitCode })
    if (exitCode === 0 && verdict !== undefined) exitCode = verdict
  }
  return exitCode
}

/** Whoever asked for a file counts on it: without it the run was not fine. */
async function verdictOf(part: RunPart, outcome: RunOutcome): Promise<number | undefined> {
  try {
    return await part.programEnded?.(outcome)
  } catch (error) {
    tell(`What was asked for at the end of the run failed: ${messageOf(error)}`)
    return 1
  }
}

/** One line, however long the program's is. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= shownLength ? line : `${line.slice(0, shownLength - 1)}…`
}

/** Says why there was no run, or none to its end. */
function explain(error: unknown): number {
  if (error instanceof InterruptedError) return 128 + constants.signals[error.signal]
  if (error instanceof NotStartedError) {
    tell(error.message)
    return error.exitCode
  }
  const { message, exitCode } = describeFailure(error)
  tell(message)
  return exitCode
}

/** What does not close well is told, and keeps nothing else from being closed. */
async function closeWell(close: () => unknown): Promise<void> {
  try {
    await close()
  } catch (error) {
    tell(`Something of the run was not closed well: ${messageOf(error)}`)
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}
