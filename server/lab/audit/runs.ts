import { inBackground, messageOf, warn } from '../../core/background.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { RealTime } from '../../core/real-time.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import type { AuditRunItem, ContinueAuditRequest } from '../../contract/control-audits.ts'
import type { AuditKind, AuditState } from '../../contract/words/audit-words.ts'
import type { Deps } from '../../hub/deps.ts'
import { type ModuleDescription, type Verdict, verdictOf } from './verdict.ts'
import { notReached } from './judgement.ts'

/** An audit that is about to start. */
export interface PlannedAudit {
  readonly kind: AuditKind
  /** Name that reports show; without secrets. */
  readonly subject: string
  /** Identity of the program: only one audit of it runs at a time. */
  readonly key: string
  readonly clientId?: string | undefined
  readonly webhookId?: string | undefined
  /** Plan, or the name of a drill. */
  readonly plan: string
  readonly modules: readonly ModuleDescription[]
  /** Stops the audit when nobody has read it for a minute, because the program that does its steps was killed. */
  readonly isFollowed?: boolean
  /**
   * Runs the modules. It has to end soon after `control.signal` is aborted, and to undo everything that it changed.
   * @throws {AuditProblem} when something cannot be reached
   */
  run(control: AuditControl): Promise<void>
}

/** What a running audit reports to, and is controlled by. */
export interface AuditControl {
  /** Id of the audit. */
  readonly id: string
  readonly signal: AbortSignal
  /** Names the module that runs now. */
  readonly begin: (module: ModuleDescription) => void
  readonly add: (verdict: Verdict) => void
  /**
   * Waits for the user.
   * @param text what the user has to do
   * @returns `stopped` when the audit is stopped meanwhile
   */
  readonly wait: (text: string, options?: WaitOptions) => Promise<Continued>
}

export interface WaitOptions {
  /** What has to be done, for programs. */
  readonly step: NonNullable<AuditRunItem['step']>
  /** Continues by itself when this resolves. */
  readonly until?: Promise<void> | undefined
}

/** How a wait has ended. */
export interface Continued extends ContinueAuditRequest {
  readonly how: 'continued' | 'skipped' | 'stopped'
}

/** Something could not be reached, so that the audit cannot judge. */
export class AuditProblem extends Error {}

/** Audits that run, and the last ones that have ended. */
export interface Audits {
  /**
   * Starts an audit.
   * @returns its id
   * @throws {Refusal} `conflict` while another one of the same program runs
   */
  start(planned: PlannedAudit): string
  /** The newest first. */
  list(): AuditRunItem[]
  /** @throws {Refusal} `not_found` */
  get(id: string): AuditRunItem
  /**
   * Goes on after the user did what the audit waits for, or without.
   * @throws {Refusal} `not_found`; `conflict` for an audit that does not wait
   */
  goOn(id: string, how: 'continued' | 'skipped', result?: ContinueAuditRequest): AuditRunItem
  /**
   * Stops an audit, and resolves when it has undone everything.
   * @throws {Refusal} `not_found`
   */
  stop(id: string): Promise<AuditRunItem>
  /** Stops all audits and forgets them. Resolves when they have undone everything. */
  clear(): Promise<void>
}

interface Run {
  readonly planned: PlannedAudit
  readonly startedAt: number
  readonly abort: AbortController
  readonly verdicts: Verdict[]
  state: AuditState
  module?: string | undefined
  waitsFor?: string | undefined
  problem?: string | undefined
  step?: AuditRunItem['step'] | undefined
  goOn?: ((continued: Continued) => void) | undefined
  ended?: Promise<void>
  /** Ends the time within which it has to be read. */
  endSilence?: (() => void) | undefined
}

const keptRuns = 20
/** Time without a reader after which a followed audit is stopped. */
const longestSilenceMs = 60_000

const isOpen = ({ state }: Run) => state === 'running' || state === 'waiting'

export function createAudits(
  { bus, clock, ids }: Pick<Deps, 'bus' | 'clock' | 'ids'>,
  realTime: Pick<RealTime, 'after'>,
): Audits {
  let runs = new Map<string, Run>()

  function requireRun(id: string): Run {
    const run = runs.get(id)
    if (run === undefined) throw new Refusal('not_found', `There is no audit ${id}.`)
    return run
  }

  /** Begins the time within which a followed audit has to be read. */
  function awaitReader(run: Run): void {
    if (run.planned.isFollowed !== true || !isOpen(run)) return
    run.endSilence?.()
    run.endSilence = realTime.after(longestSilenceMs, () => run.abort.abort())
  }

  function tell(id: string): void {
    const run = runs.get(id)
    if (run === undefined) return
    const { planned, state, module, waitsFor, verdicts } = run
    const { kind, clientId, webhookId } = planned
    bus.emit('audit.progress', {
      auditId: id,
      kind,
      state,
      done: verdicts.length,
      planned: planned.modules.length,
      ...omitUndefined({ clientId, webhookId, module, waitsFor }),
    })
  }

  function controlOf(id: string, run: Run): AuditControl {
    const { signal } = run.abort
    return {
      id,
      signal,
      begin({ id: module }) {
        run.module = module
        tell(id)
      },
      add(verdict) {
        run.verdicts.push(verdict)
        run.module = undefined
        tell(id)
      },
      wait(text, options) {
        const { step, until } = options ?? {}
        if (signal.aborted) return Promise.resolve({ how: 'stopped' })
        return new Promise((resolve) => {
          const goOn = (continued: Continued) => {
            if (run.goOn !== goOn) return
            signal.removeEventListener('abort', stop)
            run.goOn = undefined
            run.waitsFor = undefined
            run.step = undefined
            if (isOpen(run)) run.state = 'running'
            tell(id)
            resolve(continued)
          }
          const stop = () => goOn({ how: 'stopped' })
          signal.addEventListener('abort', stop)
          run.goOn = goOn
          run.waitsFor = text
          run.step = step
          run.state = 'waiting'
          tell(id)
          inBackground(warn, `waiting for a step of audit ${id}`, () =>
            until?.then(() => goOn({ how: 'continued' })),
          )
        })
      },
    }
  }

  async function follow(id: string, run: Run): Promise<void> {
    let end: AuditState = 'finished'
    try {
      await run.planned.run(controlOf(id, run))
      if (run.abort.signal.aborted) end = 'stopped'
    } catch (error) {
      end = run.abort.signal.aborted ? 'stopped' : 'broken'
      if (end === 'broken') run.problem = problemOf(error)
    }
    const reason = end === 'stopped' ? 'The audit was stopped before.' : 'The audit ended before.'
    for (const module of run.planned.modules) {
      if (run.verdicts.some((verdict) => verdict.module === module.id)) continue
      run.verdicts.push(verdictOf(module, notReached(reason), 0))
    }
    run.endSilence?.()
    run.state = end
    run.module = undefined
    tell(id)
  }

  return {
    start(planned) {
      const rival = [...runs].find(([, run]) => isOpen(run) && run.planned.key === planned.key)
      if (rival !== undefined) {
        throw new Refusal(
          'conflict',
          `Audit ${rival[0]} of ${rival[1].planned.subject} is running. Wait for it, or stop it.`,
        )
      }
      for (const [old, run] of runs) {
        if (runs.size < keptRuns) break
        if (!isOpen(run)) runs.delete(old)
      }
      const id = ids.of('audit').objectId()
      const run: Run = {
        planned,
        startedAt: clock.now(),
        abort: new AbortController(),
        verdicts: [],
        state: 'running',
      }
      runs.set(id, run)
      tell(id)
      awaitReader(run)
      run.ended = follow(id, run)
      return id
    },
    list: () => [...runs].map(([id, run]) => describe(id, run)).toReversed(),
    get(id) {
      const run = requireRun(id)
      awaitReader(run)
      return describe(id, run)
    },
    goOn(id, how, result = {}) {
      const run = requireRun(id)
      if (run.goOn === undefined) throw new Refusal('conflict', `Audit ${id} waits for nothing.`)
      run.goOn({ ...result, how })
      return describe(id, run)
    },
    async stop(id) {
      const run = requireRun(id)
      run.abort.abort()
      await run.ended
      return describe(id, run)
    },
    async clear() {
      const stopped = [...runs.values()]
      runs = new Map()
      for (const run of stopped) run.abort.abort()
      await Promise.all(stopped.map(async ({ ended }) => ended))
    },
  }
}

/** A problem is explained; any other error is a mistake of the sandbox. */
function problemOf(error: unknown): string {
  if (error instanceof AuditProblem) return error.message
  return `The sandbox failed: ${messageOf(error)}.`
}

function describe(id: string, run: Run): AuditRunItem {
  const { planned, startedAt, state, module, waitsFor, step, problem, verdicts } = run
  const { kind, subject, clientId, webhookId, plan } = planned
  return {
    id,
    kind,
    subject,
    plan,
    state,
    startedAt: isoTime(startedAt),
    planned: planned.modules.map((one) => one.id),
    verdicts: [...verdicts],
    ...omitUndefined({ clientId, webhookId, module, waitsFor, step, problem }),
  }
}
