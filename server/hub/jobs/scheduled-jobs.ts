import type { CreateScheduledJobBody } from '../../contract/hub-jobs.ts'
import { inBackground, type Report, warn } from '../../core/background.ts'
import type { Clock } from '../../core/clock.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import type { Job, ScheduledJob } from '../../store/entities/webhook-entities.ts'
import { findNamespace, type NamespaceOwner } from '../files/repo-names.ts'
import { findScheduleProblem, nextRun } from './cron.ts'
import { completeSpec, findLabelIssues, findSpecIssues } from './job-spec.ts'
import { isOver } from './job-stage.ts'
import type { Jobs } from './jobs.ts'

/** Limit of the scheduled jobs of a user or organization. */
const mostScheduledJobs = 100

/** Parts of a scheduled job that can change. */
export interface ScheduledJobChange {
  suspend?: boolean
  schedule?: string
  labels?: Record<string, string>
}

/**
 * Runs jobs at times of the sandbox clock. The hub documents neither missed nor overlapping runs; its terms are those of
 * Kubernetes' CronJob, whose rules these are.
 */
export interface ScheduledJobs {
  /** @throws {Refusal} `invalid` with every mistake, `forbidden` at the limit */
  create(request: {
    owner: NamespaceOwner
    creatorId: string
    body: CreateScheduledJobBody
  }): ScheduledJob
  /** @throws {Refusal} `invalid` */
  change(scheduled: ScheduledJob, change: ScheduledJobChange): ScheduledJob
  delete(scheduled: ScheduledJob): void
  /**
   * Runs a scheduled job now; its schedule stays.
   * @throws {Refusal} `conflict` if a run is in progress and only one may be
   */
  trigger(scheduled: ScheduledJob): Job
  /** Starts to wait for the next run. Runs that are due are made up, one of each schedule. */
  takeUp(): void
  /** Stops waiting. */
  clear(): void
}

/** @param pausedBecause returns the reason that no job runs now */
export function createScheduledJobs(
  {
    state,
    clock,
    ids,
    bus,
  }: Pick<Deps, 'state' | 'ids' | 'bus'> & {
    readonly clock: Pick<Clock, 'now' | 'at' | 'onChange'>
  },
  jobs: Pick<Jobs, 'run'>,
  {
    report = warn,
    pausedBecause = () => undefined,
  }: { report?: Report; pausedBecause?: () => string | undefined } = {},
): ScheduledJobs {
  let disarm = (): void => {}

  /** Adds the time of the next run. */
  function planned(scheduled: ScheduledJob): ScheduledJob {
    const { nextRunAt: _, ...rest } = scheduled
    const next = scheduled.suspend ? undefined : nextRun(scheduled.schedule, clock.now())
    return { ...rest, ...omitUndefined({ nextRunAt: next }) }
  }

  function put(scheduled: ScheduledJob): ScheduledJob {
    const stored = state.scheduledJobs.put(scheduled)
    bus.emit('schedule.changed', { scheduledJobId: stored.id })
    return stored
  }

  function store(scheduled: ScheduledJob): ScheduledJob {
    const stored = put(scheduled)
    arm()
    return stored
  }

  function arm(): void {
    disarm()
    const times = Array.from(state.scheduledJobs.values(), ({ nextRunAt = Infinity }) => nextRunAt)
    const next = Math.min(...times)
    disarm = Number.isFinite(next) ? clock.at(next, fire) : () => {}
  }

  function fire(): void {
    const now = clock.now()
    for (const scheduled of Array.from(state.scheduledJobs.values())) {
      if (scheduled.nextRunAt === undefined || scheduled.nextRunAt > now) continue
      inBackground(report, `running the scheduled job ${scheduled.id}`, () => {
        // However many times a clock that was moved has passed, there is one run.
        const next = put(planned(scheduled))
        if (pausedBecause() === undefined && mayRun(next)) run(next)
      })
    }
    arm()
  }

  function mayRun({ concurrency, lastJob }: ScheduledJob): boolean {
    const last = lastJob === undefined ? undefined : state.jobs.get(lastJob.id)
    return concurrency || last === undefined || isOver(last)
  }

  function run(scheduled: ScheduledJob): Job {
    const { id, ownerId, spec, creatorId } = scheduled
    const account = state.users.get(ownerId)?.username ?? state.organizations.get(ownerId)?.name
    const owner = findNamespace(state, account ?? '')
    if (owner === undefined) throw new Error(`the scheduled job ${id} has no owner`)
    const initiator = { type: 'scheduled-job' as const, id }
    const job = jobs.run({ owner, spec, initiator, creatorId })
    put({ ...scheduled, lastJob: { id: job.id, at: clock.now() } })
    return job
  }

  // Time that was set back makes earlier runs possible.
  clock.onChange(() => {
    for (const scheduled of Array.from(state.scheduledJobs.values())) {
      const { nextRunAt = Infinity } = planned(scheduled)
      if (scheduled.nextRunAt !== undefined && nextRunAt < scheduled.nextRunAt) {
        if (scheduled.nextRunAt > clock.now()) put({ ...scheduled, nextRunAt })
      }
    }
    arm()
  })

  return {
    create({ owner, creatorId, body: { jobSpec, schedule, suspend, concurrency } }) {
      const problem = findScheduleProblem(schedule)
      refuseIssues([
        ...findSpecIssues(jobSpec, 'jobSpec'),
        ...(problem === undefined ? [] : [{ path: 'schedule', message: problem }]),
      ])
      if (state.scheduledJobs.groupSize('owner', owner.id) >= mostScheduledJobs) {
        const message = `${owner.name} has ${mostScheduledJobs} scheduled jobs, the limit: delete one`
        throw new Refusal('forbidden', message)
      }
      return store(
        planned({
          id: ids.of('scheduled-job').objectId(),
          ownerId: owner.id,
          creatorId,
          spec: completeSpec(jobSpec),
          schedule,
          suspend: suspend ?? false,
          concurrency: concurrency ?? false,
          createdAt: clock.now(),
        }),
      )
    },
    change(scheduled, { suspend, schedule, labels = scheduled.spec.labels }) {
      const problem = schedule === undefined ? undefined : findScheduleProblem(schedule)
      if (problem !== undefined) throw new Refusal('invalid', problem)
      refuseIssues(findLabelIssues(labels))
      const changed = {
        ...scheduled,
        ...omitUndefined({ suspend, schedule }),
        spec: { ...scheduled.spec, labels },
      }
      // The clock may just have passed the time of a run, which a new plan would leave out.
      const isSamePlan =
        changed.suspend === scheduled.suspend && changed.schedule === scheduled.schedule
      return store(isSamePlan ? changed : planned(changed))
    },
    delete({ id }) {
      state.scheduledJobs.delete(id)
      bus.emit('schedule.changed', { scheduledJobId: id })
      arm()
    },
    trigger(scheduled) {
      if (mayRun(scheduled)) return run(scheduled)
      throw new Refusal('conflict', 'A run of this scheduled job is in progress')
    },
    takeUp() {
      for (const scheduled of Array.from(state.scheduledJobs.values())) {
        if (scheduled.nextRunAt === undefined && !scheduled.suspend) {
          state.scheduledJobs.put(planned(scheduled))
        }
      }
      arm()
    },
    clear: () => disarm(),
  }
}
