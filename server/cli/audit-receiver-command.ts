import { setTimeout as sleep } from 'node:timers/promises'
import type {
  AuditRunItem,
  AuditVerdict,
  ContinueAuditRequest,
  StartAuditRequest,
} from '../contract/control-audits.ts'
import { suggestion } from '../contract/suggestion.ts'
import { type AdviceLevel, adviceLevels } from '../contract/words/advice-words.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { reportOfAudit } from '../lab/report/audit-report.ts'
import { renderReport } from '../lab/report/formats.ts'
import { reportExitCodes } from '../lab/report/report.ts'
import { createAuditPrompts } from './audit-prompts.ts'
import { sourceOf } from './check-source.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection } from './connect.ts'
import { prepareFile, writeWhole } from './exec/written-file.ts'
import { keepReading } from '../client/audit-app.ts'
import { describeFailure } from './failure.ts'
import { say, writeOut } from './output.ts'
import { type ControlOptions, readWholeNumber } from './read-options.ts'
import { readFormat } from './report-format.ts'

/** Options of all audits. */
export interface AuditOptions extends ControlOptions {
  plan?: string
  only?: string[]
  skip?: string[]
  failOn?: string
  format?: string
  out?: string
  source?: string
}

export interface ReceiverOptions extends AuditOptions {
  secret?: string
  secretIn?: string
  profile?: string
  event?: string
  effects?: string
  storm?: boolean
  restart?: string
  orders?: string
  events?: string
  seed?: string
}

/**
 * Does a step that an audit waits for. The signal is aborted by Ctrl-C.
 * @returns `undefined` for a step that a person does
 */
export type StepAct = (
  step: NonNullable<AuditRunItem['step']>,
  signal: AbortSignal,
) => Promise<ContinueAuditRequest | undefined>

/** Interval between two looks at an audit. */
const restMs = 200
const interrupted = 130
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Audits a webhook receiver.
 * @param receiver URL, or id of a webhook
 * @throws {CommandError} with exit code 2 for every failure, so that a broken job does not read as a bad receiver
 */
export async function auditReceiver(receiver: string, options: ReceiverOptions): Promise<void> {
  await asUnusable(async () => {
    const { plan, only, skip, secret, secretIn, profile, event, effects } = options
    const isUrl = receiver.includes(':')
    await runAudit(
      // The control API checks the words.
      omitUndefined({
        kind: 'receiver',
        ...(isUrl ? { url: receiver } : { webhookId: receiver }),
        plan,
        only,
        skip,
        secret,
        secretIn,
        profile,
        event,
        effects,
        storm: readStorm(options),
      }) as StartAuditRequest,
      options,
    )
  })
}

function readStorm({
  storm,
  orders,
  events,
  seed,
  restart,
}: ReceiverOptions): StartAuditRequest['storm'] {
  if (storm !== true) return undefined
  const number = (flag: string, text: string | undefined) =>
    text === undefined ? undefined : readWholeNumber(flag, text)
  return omitUndefined({
    orders: number('--orders', orders),
    events: number('--events', events),
    seed,
    restart,
  })
}

/** Reports every failure with the exit code for something that could not be judged. */
export async function asUnusable(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { message } = describeFailure(error)
    throw new CommandError(message, { exitCode: reportExitCodes.unusable, cause: error })
  }
}

/** Starts an audit, follows it to its end, writes the report and sets the exit code. Ctrl-C stops the audit. */
export async function runAudit(
  request: StartAuditRequest,
  options: AuditOptions,
  act?: StepAct,
): Promise<void> {
  const gate = { level: readLevel(options.failOn) }
  const format =
    options.json === true && options.format === undefined ? 'json' : readFormat(options)
  const source = await sourceOf(options.source)
  if (options.out !== undefined) prepareFile('--out', options.out)
  const connection = await connect(options)
  const { item, isInterrupted } = await followAudit(connection, request, act)
  const report = reportOfAudit(item, gate)
  const text = renderReport(format, report, source)
  if (options.out === undefined) writeOut(text)
  else await writeWhole(options.out, text)
  process.exitCode = isInterrupted ? interrupted : report.exitCode
}

async function followAudit({ call }: Connection, request: StartAuditRequest, act?: StepAct) {
  const { id } = await call('POST audits', { body: { ...request, isFollowed: true } })
  const params = { id }
  let isInterrupted = false
  const acting = new AbortController()
  const stop = () => {
    isInterrupted = true
    acting.abort()
  }
  for (const signal of stopSignals) process.on(signal, stop)
  const prompts = createAuditPrompts(stop)
  try {
    let shown = 0
    for (;;) {
      const item = isInterrupted
        ? await call('DELETE audits/:id', { params })
        : await call('GET audits/:id', { params })
      prompts.noteHonest(item)
      const news = item.verdicts.slice(shown)
      for (const verdict of news) if (verdict.outcome !== 'not-reached') say(lineOf(verdict))
      shown = item.verdicts.length
      if (item.state !== 'running' && item.state !== 'waiting') return { item, isInterrupted }
      const body =
        act === undefined || item.step === undefined || isInterrupted
          ? undefined
          : await keepReading(call, id, act(item.step, acting.signal))
      if (body !== undefined) {
        // It may have been stopped meanwhile.
        if (!isInterrupted) {
          await call('POST audits/:id/continue', { params, body }).catch(() => undefined)
        }
        continue
      }
      const how = prompts.follow(item)
      // It may go on by itself at the same moment.
      if (how !== undefined) {
        await call(`POST audits/:id/${how}`, { params }).catch(() => undefined)
      }
      await sleep(restMs)
    }
  } catch (error) {
    await call('DELETE audits/:id', { params }).catch(() => undefined)
    throw error
  } finally {
    prompts.close()
    for (const signal of stopSignals) process.off(signal, stop)
  }
}

function lineOf({ outcome, module }: AuditVerdict): string {
  return `${outcome.padEnd(14)}  ${module}`
}

/** Reads `--fail-on`. */
function readLevel(failOn = 'error'): AdviceLevel | undefined {
  if (failOn === 'none') return undefined
  const level = adviceLevels.find((one) => one === failOn)
  if (level !== undefined) return level
  const known = [...adviceLevels, 'none']
  throw new CommandError(
    `Unknown level ${failOn}${suggestion(failOn, known)}. Pass --fail-on with one of: ${known.join(', ')}.`,
  )
}
