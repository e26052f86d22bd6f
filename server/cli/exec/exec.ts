import { constants } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../core/background.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { commandText } from '../../core/shell-words.ts'
import { readClientEnvironment } from '../environment-of-client.ts'
import { describeFailure } from '../failure.ts'
import { environmentOfRun } from './environment-of-run.ts'
import type { ExecOptions } from './exec-options.ts'
import { importedModules } from './node-options.ts'
import { partMakers } from './exec-parts.ts'
import { makePrivateFolder } from './private-folder.ts'
import { NotStartedError, runProgram } from './exec-program.ts'
import { refusedPart } from './refused-part.ts'
import type { Run, RunOutcome, RunPart, RunPartMaker } from './run-part.ts'
import { startForRun, startOptionsOf, takeRunning } from './sandbox-of-run.ts'
import { catchSignals, InterruptedError, type Signals } from './signals.ts'
import { addressesToWaitFor, waitFor } from './wait-for.ts'

/** Maximum length of the command in the status line. */
const shownLength = 100

/** Resources that outlive the process unless released at once. */
interface Abandoned {
  removeFolder?: () => void
  kill?: (() => void) | undefined
}

/**
 * Runs a program against a sandbox and exits with its exit code. All resources of the run are
 * closed, however it ends.
 * @throws {CommandError} for invalid usage, before anything has started
 */
export async function exec(command: readonly string[], options: ExecOptions): Promise<void> {
  const plan = await planRun(command, options)
  const abandoned: Abandoned = {}
  const abandon = () => {
    abandoned.kill?.()
    abandoned.removeFolder?.()
  }
  process.once('exit', abandon)
  // A closed reader of stderr must not end the program.
  process.stderr.on('error', () => undefined)
  const signals = catchSignals(abandon)
  const closing: (() => unknown)[] = []
  let exitCode: number
  try {
    exitCode = await play(plan, { signals, closing, abandoned })
  } catch (error) {
    // After a signal, failures are its consequence.
    exitCode = explain(signals.interrupted.aborted ? signals.interrupted.reason : error)
  }
  for (const close of closing.toReversed()) await closeWell(close)
  // The last output may still be buffered.
  process.stderr.write('', () => process.exit(exitCode))
}

type Plan = Awaited<ReturnType<typeof planRun>>

/** Validates all flags. */
async function planRun(command: readonly string[], options: ExecOptions) {
  // The last one gets the result of the others.
  const makers = [...partMakers.filter((maker) => maker.isWanted(options)), refusedPart]
  const allowNetwork = options.allowNetwork ?? false
  const modules = importedModules(options.import ?? [])
  const addresses = addressesToWaitFor(options.waitFor ?? [], { allowNetwork })
  const ofParts = []
  for (const maker of makers) ofParts.push((await maker.startOptions?.(options)) ?? {})
  const startOptions = startOptionsOf(options, ofParts)
  return { command, options, makers, modules, addresses, allowNetwork, startOptions }
}

/** Performs the run up to the end of the program. Every opened resource registers its cleanup. */
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
  sandbox.notices.forEach(print)

  const { connection, isOwn, segments } = sandbox
  const { variables, issuer, version } = await readClientEnvironment(connection, {
    ...options,
    // Deleted after the run, like its sandbox.
    cacheFolder: join(folder.path, 'huggingface'),
  })
  await waitFor(plan.addresses, { ...plan, interrupted, print })
  const run: Run = {
    command,
    options,
    connection,
    baseUrl: issuer,
    isOwn,
    ...omitUndefined({ segments }),
    folder: folder.path,
    print,
  }
  const parts = await beginParts(run, makers, { closing, interrupted })
  const environment = await environmentOfRun(run, variables, parts, plan.modules)

  print(`hub-sandbox ${version} at ${connection.url}, running: ${shortened(commandText(command))}`)
  const outcome = await runProgram({
    command,
    environment,
    signals,
    print,
    onStart: (kill) => (abandoned.kill = kill),
  })
  abandoned.kill = undefined
  for (const notice of await sandbox.ended()) print(notice)
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

/** @returns the exit code of the run: that of the program, or of a part that fails a successful run */
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

/** A missing output file fails the run. */
async function verdictOf(part: RunPart, outcome: RunOutcome): Promise<number | undefined> {
  try {
    return await part.programEnded?.(outcome)
  } catch (error) {
    print(`The work after the run failed: ${messageOf(error)}`)
    return 1
  }
}

/** Shortens the command to one line. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= shownLength ? line : `${line.slice(0, shownLength - 1)}…`
}

/** Reports why the run failed. */
function explain(error: unknown): number {
  if (error instanceof InterruptedError) return 128 + constants.signals[error.signal]
  if (error instanceof NotStartedError) {
    print(error.message)
    return error.exitCode
  }
  const { message, exitCode } = describeFailure(error)
  print(message)
  return exitCode
}

/** Runs all cleanups; a failing one is reported and does not stop the others. */
async function closeWell(close: () => unknown): Promise<void> {
  try {
    await close()
  } catch (error) {
    print(`The cleanup after the run failed: ${messageOf(error)}`)
  }
}

function print(line: string): void {
  process.stderr.write(`${line}\n`)
}
