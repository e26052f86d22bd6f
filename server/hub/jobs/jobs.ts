import { longestTimerMs } from '../../contract/fixtures/limits.ts'
import { dropOwnTokens, withOwnTokens } from './job-tokens.ts'
import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { inBackground, messageOf, type Report, warn } from '../../core/background.ts'
import type { NamespaceOwner } from '../files/repo-names.ts'
import type {
  Delivery,
  DeliveryBody,
  Job,
  JobSpec,
  Webhook,
} from '../../store/entities/webhook-entities.ts'
import type { AttemptTimings, DeliveryError } from '../../contract/control-deliveries.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import { splitCommand } from './command-line.ts'
import { commandOf, howToRun } from './run-command.ts'
import { environmentOf, specForDelivery } from './environment.ts'
import { createJobLogs, type JobLogs } from './job-log.ts'
import { dropOldJobs } from './job-retention.ts'
import { findLabelIssues, findPortIssues } from './job-spec.ts'
import { isOver } from './job-stage.ts'
import type {
  MountVolumes,
  ProcessEnd,
  ProcessUsage,
  RunningProcess,
  RunProcess,
} from './run-process.ts'

export interface JobRequest {
  owner: NamespaceOwner
  spec: JobSpec
  initiator: { type: 'user' | 'duplicated-job' | 'scheduled-job' | 'webhook'; id: string }
  /** Id of the user that the job runs for. */
  creatorId: string
  deliveryId?: string
  /** The spec has the variables of a webhook's delivery. */
  ofWebhook?: boolean
}

/** Outcome of a job, for the attempt of its delivery. */
export interface JobOutcome {
  /** Absent if it succeeded. */
  error?: DeliveryError
  /** The exit code. */
  status?: number
  durationMs: number
  timings: AttemptTimings
}

/** Runs jobs where `--run-jobs` allows it, and records them everywhere. */
export interface Jobs {
  readonly logs: JobLogs
  /** Starts the job of a webhook that has one in place of a URL. */
  start(run: { webhook: Webhook; delivery: Delivery; body: DeliveryBody }): {
    jobId: string
    /** Never rejects: a failure is a result. */
    sending: { readonly result: Promise<JobOutcome>; abort(error: DeliveryError): void }
  }
  /** @throws {Refusal} `overloaded` at the limit of running jobs */
  run(request: JobRequest): Job
  /** Cancels a job unless it is over. */
  cancel(job: Job): Job
  /** @throws {Refusal} `invalid` for a public port that is not exposed */
  setPorts(job: Job, ports: NonNullable<JobSpec['expose']>): Job
  /** @throws {Refusal} `invalid` if they are too large */
  setLabels(job: Job, labels: Record<string, string>): Job
  /** Returns the usage of its process; `undefined` where that is unknown. */
  usage(jobId: string): ProcessUsage | undefined
  /** Resolves when the job is over. */
  whenOver(jobId: string): Promise<void>
  /** Ends the jobs that the state has as running, and their tokens: those of an earlier run or of a snapshot. */
  takeUp(): void
  /** Kills every process without waiting, since the state they belonged to is gone. */
  abandon(): void
  /** Ends every process and waits for it; call it before the state is closed. */
  close(): Promise<void>
}

export interface JobOptions {
  report?: Report
  /** Returns the reason that no job runs now, as a sentence. */
  pausedBecause?: () => string | undefined
  /** Opens the volumes of a job; `undefined` for a job without any. */
  volumesOf?: (job: Job, log: (line: string) => void) => MountVolumes | undefined
}

const defaultTimeoutSeconds = 30 * 60
const cancelled = 'The job was cancelled.'
/** Outcome of a job whose state was replaced. */
const forgotten: JobOutcome = { durationMs: 0, timings: {} }

export function createJobs(
  deps: Pick<Deps, 'settings' | 'state' | 'clock' | 'ids' | 'bus'>,
  runProcess: RunProcess,
  { report = warn, pausedBecause = () => undefined, volumesOf = () => undefined }: JobOptions = {},
): Jobs {
  const { settings, state, clock, ids, bus } = deps
  const logs = createJobLogs(deps)
  const running = new Map<string, { process: RunningProcess; over: Promise<JobOutcome> }>()
  /** Ends of all processes, those of a forgotten state included. */
  const ends = new Set<Promise<JobOutcome>>()
  /** Increased when the state is replaced, in which another job may have the id of an earlier one. */
  let generation = 0

  /** Returns a function that returns true once the present state is replaced. */
  function untilForgotten(): () => boolean {
    const startedIn = generation
    return () => generation !== startedIn
  }

  function update(jobId: string, changes: Partial<Job>): Job | undefined {
    const job = state.jobs.get(jobId)
    if (job === undefined) return undefined
    const updated = state.jobs.put({ ...job, ...changes })
    const { id, namespace, stage } = updated
    if (stage !== job.stage) bus.emit('job.updated', { jobId: id, namespace, stage })
    return updated
  }

  /** Ends a job, unless it is over: a cancelled one stays cancelled when its process ends. */
  function end(jobId: string, changes: Pick<Job, 'stage' | 'message' | 'exitCode'>): void {
    const job = state.jobs.get(jobId)
    if (job !== undefined && !isOver(job)) update(jobId, { ...changes, finishedAt: clock.now() })
  }

  function commandFor(spec: JobSpec): string | undefined {
    return pausedBecause() === undefined ? commandOf(settings, spec) : undefined
  }

  function record(request: JobRequest): Job {
    const { owner, spec, initiator, creatorId, deliveryId, ofWebhook } = request
    const executed = commandFor(spec) !== undefined
    const job = state.jobs.put({
      id: ids.of('job').objectId(),
      namespace: owner.name,
      ownerId: owner.id,
      ownerType: owner.kind,
      spec,
      stage: 'SCHEDULING',
      initiatorType: initiator.type,
      initiatorId: initiator.id,
      creatorId,
      ...omitUndefined({ deliveryId }),
      ...(ofWebhook === true && { ofWebhook }),
      executed,
      createdAt: clock.now(),
    })
    bus.emit('job.created', { jobId: job.id, namespace: job.namespace })
    return job
  }

  /** Starts a recorded job at once. Never rejects: a failure is the outcome, and only a delivery waits for it. */
  function begin(job: Job): Promise<JobOutcome> {
    try {
      return execute(job)
    } catch (error) {
      return Promise.resolve(fail(job.id, error))
    }
  }

  /** Records the error that kept a job from running as its outcome. */
  function fail(jobId: string, error: unknown): JobOutcome {
    const message = `could not be run: ${messageOf(error)}`
    report(`job ${jobId} ${message}`)
    inBackground(report, `marking job ${jobId} as failed`, () => {
      end(jobId, { stage: 'ERROR', message })
      logs.write(jobId, `The job ${message}`)
      logs.close(jobId)
    })
    return { durationMs: 0, timings: {}, error: { class: 'job_failed', message } }
  }

  function execute(job: Job): Promise<JobOutcome> {
    const command = commandFor(job.spec)
    const now = clock.now()
    logs.write(job.id, `===== Job started at ${isoTime(now)} =====`)
    if (command === undefined) {
      const message = `Recorded, not executed. ${pausedBecause() ?? howToRun(job.spec)}`
      logs.write(job.id, message)
      update(job.id, { stage: 'COMPLETED', message, startedAt: now, finishedAt: now })
      logs.close(job.id)
      return Promise.resolve({ durationMs: 0, timings: {} })
    }
    update(job.id, { stage: 'RUNNING', startedAt: now })
    const [program, ...args] = splitCommand(command)
    const { variables, remarks } = environmentOf(job, {
      allowed: settings.runJobsEnv,
      settings,
    })
    for (const remark of remarks) logs.write(job.id, remark)
    const startedAt = clock.realNow()
    const isForgotten = untilForgotten()
    const log = (line: string) => {
      if (isForgotten()) return
      inBackground(report, `keeping the output of job ${job.id}`, () => logs.write(job.id, line))
    }
    const process = runProcess({
      program,
      args,
      variables,
      timeoutMs: Math.min(
        (job.spec.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
        longestTimerMs,
      ),
      onLine: log,
      ...omitUndefined({ volumes: volumesOf(job, log) }),
    })
    const over = process.end
      .finally(() => isForgotten() || running.delete(job.id))
      .then((end) => (isForgotten() ? forgotten : finish(job.id, end, clock.realNow() - startedAt)))
      .catch((error: unknown) => (isForgotten() ? forgotten : fail(job.id, error)))
      .finally(() => ends.delete(over))
    running.set(job.id, { process, over })
    ends.add(over)
    return over
  }

  function finish(jobId: string, ended: ProcessEnd, durationMs: number): JobOutcome {
    const isCanceled = state.jobs.get(jobId)?.stage === 'CANCELED'
    const code = ended.kind === 'exited' ? ended.code : undefined
    const message = isCanceled ? cancelled : describeEnd(ended)
    if (ended.kind === 'not-started') logs.write(jobId, `The command ${message}.`)
    const exit = omitUndefined({ exitCode: code })
    if (isCanceled) update(jobId, exit)
    else
      end(jobId, {
        stage: code === 0 ? 'COMPLETED' : 'ERROR',
        ...omitUndefined({ message }),
        ...exit,
      })
    logs.close(jobId)
    return {
      durationMs: Math.round(durationMs),
      timings: {},
      ...omitUndefined({ status: code }),
      ...(message !== undefined && { error: { class: 'job_failed' as const, message } }),
    }
  }

  function killAll(): void {
    for (const { process } of running.values()) process.kill()
  }

  return {
    logs,
    run(request) {
      const most = settings.caps.runningJobs
      if (running.size >= most && commandFor(request.spec) !== undefined) {
        throw new Refusal(
          'overloaded',
          `The limit of ${most} running jobs is reached: wait for one, cancel one, or raise config.caps.runningJobs.`,
        )
      }
      const job = record(request)
      void begin(job)
      dropOldJobs(state)
      return state.jobs.get(job.id) ?? job
    },
    start({ webhook, delivery, body }) {
      const owner = state.users.get(webhook.ownerId)
      if (webhook.job === undefined || owner === undefined) {
        throw new Error(`webhook ${webhook.id} has no job, or no owner to run it for`)
      }
      // A job that is only recorded calls nothing.
      const runs = commandFor(webhook.job) !== undefined
      const own = runs ? withOwnTokens({ state, ids, clock }, webhook.job, delivery) : undefined
      const job = record({
        owner: { kind: 'user', id: owner.id, name: owner.username },
        spec: specForDelivery(own?.spec ?? webhook.job, { webhook, delivery, body }),
        initiator: { type: 'webhook', id: webhook.id },
        creatorId: owner.id,
        deliveryId: delivery.id,
        ofWebhook: true,
      })
      let broken: DeliveryError | undefined
      const isForgotten = untilForgotten()
      const result = begin(job)
        .finally(() => isForgotten() || own?.revoke())
        .then((outcome) => (broken === undefined ? outcome : { ...outcome, error: broken }))
      function abort(error: DeliveryError): void {
        broken = error
        running.get(job.id)?.process.kill()
      }
      return { jobId: job.id, sending: { result, abort } }
    },
    cancel(job) {
      if (isOver(job)) return job
      running.get(job.id)?.process.kill()
      end(job.id, { stage: 'CANCELED', message: cancelled })
      return state.jobs.get(job.id) ?? job
    },
    setPorts(job, expose) {
      refuseIssues(findPortIssues('expose', expose))
      return update(job.id, { spec: { ...job.spec, expose } }) ?? job
    },
    setLabels(job, labels) {
      refuseIssues(findLabelIssues(labels))
      return update(job.id, { spec: { ...job.spec, labels } }) ?? job
    },
    usage: (jobId) => running.get(jobId)?.process.usage?.(),
    async whenOver(jobId) {
      await running.get(jobId)?.over
    },
    takeUp() {
      dropOwnTokens(state)
      const message = 'The sandbox was stopped during the run.'
      for (const { id } of state.jobs.values()) {
        inBackground(report, `taking note of the end of job ${id}`, () =>
          end(id, { stage: 'ERROR', message }),
        )
      }
    },
    abandon() {
      killAll()
      generation += 1
      running.clear()
      logs.clear()
    },
    async close() {
      killAll()
      await Promise.all(ends)
    },
  }
}

/** Describes the failure of a job; `undefined` for a success. */
function describeEnd(end: ProcessEnd): string | undefined {
  if (end.kind === 'exited') return end.code === 0 ? undefined : `exit code ${end.code}`
  if (end.kind === 'killed') return `ended by ${end.signal}`
  if (end.kind === 'timeout') return 'the time limit was reached'
  return `could not be started: ${end.message}`
}
