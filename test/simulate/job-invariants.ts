import { finishedJobStages, type JobStage } from '../../server/contract/words/job-words.ts'
import type { Job } from '../../server/store/entities/webhook-entities.ts'
import type { State } from '../../server/store/state.ts'
import type { Invariant } from './invariants.ts'
import type { KnownSchedule, SeenSchedule } from './world/job-facts.ts'
import { firstOf, groupBy } from './world/lists.ts'
import type { World } from './world/world.ts'

const hourMs = 3_600_000
const isOver = ({ stage }: Pick<Job, 'stage'>) => finishedJobStages.some((one) => one === stage)
const order: readonly JobStage[] = ['SCHEDULING', 'RUNNING']

const isForward = (before: JobStage, after: JobStage) =>
  before === after ||
  (!isOver({ stage: before }) &&
    (isOver({ stage: after }) || order.indexOf(after) > order.indexOf(before)))

/** Compares the stages with those that clients have read, and with those of the last check. */
function checkStages(world: World, state: State): string | undefined {
  const { jobs, seen } = world.facts.jobs
  // What was not confirmed may be lost with the process.
  if (seen.starts !== world.starts) seen.stages.clear()
  seen.starts = world.starts
  return (
    firstOf(jobs, ([id, { stage }]) => {
      const now = state.jobs.get(id)?.stage
      if (now === undefined) return `${id} was ${stage} and is gone`
      return isForward(stage, now) ? undefined : `${id} was read as ${stage} and is ${now}`
    }) ??
    firstOf(state.jobs.values(), ({ id, stage }) => {
      const before = seen.stages.get(id) ?? stage
      seen.stages.set(id, stage)
      return isForward(before, stage) ? undefined : `${id} was ${before} and is ${stage}`
    })
  )
}

function explainStage(world: World, job: Job): string | undefined {
  const { id, stage, finishedAt } = job
  const running = world.processes.runningOf(id).length
  if (running > 1) return `${id} has ${running} processes`
  if (!isOver(job)) return running === 1 ? undefined : `${id} is ${stage} without a process`
  if (stage !== 'CANCELED' && running > 0) return `${id} is ${stage}, and its process runs`
  return finishedAt === undefined ? `${id} is ${stage} without an end` : undefined
}

/** A delivery to a webhook with a job starts one for each attempt. */
function checkAttempts(state: State): string | undefined {
  const jobs = groupBy(
    [...state.jobs.values()].filter(({ deliveryId }) => deliveryId !== undefined),
    ({ deliveryId = '' }) => deliveryId,
  )
  return firstOf(jobs, ([deliveryId, started]) => {
    if (!state.deliveries.has(deliveryId)) return undefined
    const attempts = state.attempts.group('delivery', deliveryId)
    const named = attempts.flatMap(({ jobId }) => (jobId === undefined ? [] : [jobId]))
    const isRight = started.length === named.length && started.every(({ id }) => named.includes(id))
    return isRight
      ? undefined
      : `${deliveryId} has ${started.length} jobs, and ${named.length} attempts with one`
  })
}

/** Compares a schedule with what the last check has seen of it. */
function checkSchedule(world: World, state: State, known: KnownSchedule): string | undefined {
  const { id, changes, standing, isChanging, seen } = known
  const stored = state.scheduledJobs.get(id)
  const isSure = standing !== 'unsure' && !isChanging
  if (isSure && (stored !== undefined) !== (standing === 'live')) {
    return `the schedule ${id} is ${standing}, and ${stored === undefined ? 'gone' : 'there'}`
  }
  const { backMoves } = world.facts.jobs
  const jobs = [...state.jobs.values()].filter(({ initiatorId }) => initiatorId === id)
  const isQuiet = isSure && (standing === 'gone' || known.isSuspended === true)
  const isBack = seen?.backMoves !== backMoves
  known.seen = {
    nextRunAt: stored?.nextRunAt,
    changes,
    backMoves,
    // What the disk has refused is lost with the process.
    life: world.hasFaults ? world.starts : undefined,
    isQuiet,
    jobs: new Set(jobs.map((job) => job.id)),
    old: isBack ? new Set(jobs.map((job) => job.id)) : (seen?.old ?? new Set()),
  }
  const isLost = seen?.life !== undefined && seen.life !== world.starts
  const isUnknown = standing === 'unsure' || known.doubts > 0 || isLost
  if (seen === undefined || isUnknown || seen.changes !== changes || isBack) return undefined
  const own = jobs.filter((job) => !known.byHand.has(job.id))
  return checkStarts(known, seen, { jobs, own })
}

/** Compares the jobs that a schedule has started since the last check with its due times. */
function checkStarts(
  { id, standing, seen: now }: KnownSchedule,
  { nextRunAt: due, isQuiet, jobs: before, old }: SeenSchedule,
  { jobs, own }: { readonly jobs: readonly Job[]; readonly own: readonly Job[] },
): string | undefined {
  const started = own.filter((job) => !before.has(job.id))
  if (isQuiet && now?.isQuiet === true && started.length > 0) {
    return `the schedule ${id} is ${standing === 'gone' ? 'deleted' : 'suspended'}, and has started ${started[0]?.id}`
  }
  const hours = own
    .filter((job) => !old.has(job.id))
    .map(({ createdAt }) => Math.floor(createdAt / hourMs))
  if (new Set(hours).size < hours.length) {
    return `the schedule ${id} has started two jobs in an hour`
  }
  const next = now?.nextRunAt
  if (due === undefined || next === undefined || next <= due) return undefined
  const isMet = started.some(({ createdAt }) => createdAt >= due)
  // One run at a time.
  const wasBusy = jobs.some((job) => !isOver(job) || (job.finishedAt ?? 0) >= due)
  return isMet || wasBusy
    ? undefined
    : `the schedule ${id} was due at ${due}, has started nothing and is due at ${next}`
}

/** Invariants of jobs and schedules, checked after each step. */
export const jobInvariants: readonly Invariant[] = [
  { name: 'a confirmed job is there, and goes forward only', check: checkStages },
  {
    name: 'a job runs as long as its process',
    check: (world, state) => firstOf(state.jobs.values(), (job) => explainStage(world, job)),
  },
  {
    name: 'a token of a job ends with it',
    check: (world, state) =>
      firstOf(state.tokens.values(), ({ id, deliveryId }) => {
        if (deliveryId === undefined) return undefined
        const isNeeded = world.processes.all.some(
          (process) =>
            world.processes.isRunning(process) &&
            state.jobs.get(process.jobId)?.deliveryId === deliveryId,
        )
        return isNeeded ? undefined : `${id} of ${deliveryId} is there without a process`
      }),
  },
  {
    name: 'an attempt of a job webhook starts one job',
    check: (_world, state) => checkAttempts(state),
  },
  {
    name: 'a schedule starts one job at each due time',
    check: (world, state) =>
      firstOf(world.facts.jobs.schedules, (known) => checkSchedule(world, state, known)),
  },
]
