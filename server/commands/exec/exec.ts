import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { messageOf } from '../../core/background.ts'
import { commandText } from '../../core/shell-words.ts'
import { readClientEnvironment } from '../client-environment.ts'
import type { Connection } from '../connect.ts'
import { describeFailure } from '../failure.ts'
import type { ExecOptions } from './exec-options.ts'
import { importedModules } from './node-options.ts'
import { partMakers } from './parts.ts'
import { makePrivateFolder } from './private-folder.ts'
import {
  programEnvironment,
  type Variables,
  withoutRealCredentials,
} from './program-environment.ts'
import { NotStartedError, runProgram } from './program.ts'
import type { Run, RunOutcome, RunPart, RunPartMaker } from './run-part.ts'
import { startForRun, startOptionsOf, takeRunning } from './sandbox-of-run.ts'
import { catchSignals, InterruptedError, type Signals } from './signals.ts'
import { trustVariables } from './trust.ts'
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
  for (const close of closing.toReversed()) await trying('was not closed well', close)
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

  const { connection, isOwn } = sandbox
  const { variables, issuer, version } = await readClientEnvironment(connection, options)
  await waitFor(plan.addresses, { ...plan, interrupted, tell })
  const run: Run = {
    command,
    options,
    connection,
    baseUrl: issuer,
    isOwn,
    folder: folder.path,
    tell,
  }
  const parts = await beginParts(run, makers, { closing, interrupted })
  const environment = await environmentOf(run, { clientVariables: variables, parts, plan })

  tell(`hub-sandbox ${version} at ${connection.url}, running: ${shortened(commandText(command))}`)
  const outcome = await runProgram({
    command,
    environment,
    signals,
    tell,
    onStart: (kill) => (abandoned.kill = kill),
  })
  abandoned.kill = undefined
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
    const verdict = await trying('could not be kept of the run', () =>
      part.programEnded?.({ ...outcome, exitCode }),
    )
    if (exitCode === 0 && verdict !== undefined) exitCode = verdict
  }
  return exitCode
}

/** What the program is given: later ones count. */
async function environmentOf(
  run: Run,
  {
    clientVariables,
    parts,
    plan: { options, modules },
  }: { clientVariables: Variables; parts: readonly RunPart[]; plan: Plan },
): Promise<Record<string, string>> {
  const { connection, folder, baseUrl } = run
  const inherited: Variables = process.env
  const certificates = [
    ...(await certificateOf(connection)),
    ...parts.flatMap((part) => part.certificates ?? []),
  ]
  const layers = [
    options.keepToken === true ? {} : withoutRealCredentials(inherited, folder),
    clientVariables,
    {
      HUB_SANDBOX_URL: connection.url,
      ...(connection.controlToken === undefined
        ? {}
        : { HUB_SANDBOX_CONTROL_TOKEN: connection.controlToken }),
    },
    await trustVariables(certificates, inherited, folder),
    ...parts.map((part) => part.variables ?? {}),
  ]
  return programEnvironment(inherited, layers, {
    // First what reroutes requests: the user's own modules may make some.
    modules: [...parts.flatMap((part) => part.imports ?? []), ...modules],
    hosts: [
      ...[connection.url, baseUrl].map((url) => new URL(url).hostname),
      ...parts.flatMap((part) => part.directHosts ?? []),
    ],
  })
}

/** One line, however long the program's is. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= shownLength ? line : `${line.slice(0, shownLength - 1)}…`
}

async function certificateOf({ certificatePath }: Connection): Promise<string[]> {
  if (certificatePath === undefined) return []
  return [new X509Certificate(await readFile(certificatePath)).toString()]
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

/** What fails at the end is told, and hinders nothing else. */
async function trying<T>(what: string, act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    tell(`Something ${what}: ${messageOf(error)}`)
    return undefined
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}
