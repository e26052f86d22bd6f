import { isoTime } from '../../core/time.ts'
import type { JobDetail, JobItem, ScheduledJobItem } from '../../contract/control-jobs.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Job, JobSpec, ScheduledJob } from '../../store/entities/webhook-entities.ts'
import {
  accountName,
  accountRef,
  isoMember,
  present,
  userRef,
  type ViewDeps,
} from '../access/refs.ts'

export function describeJob(deps: ViewDeps, job: Job): JobItem {
  return {
    id: job.id,
    namespace: job.namespace,
    owner: accountRef(deps, job.ownerId),
    ...describeSpec(job.spec),
    stage: job.stage,
    ...present(job, 'message', 'exitCode', 'deliveryId'),
    executed: job.executed,
    createdAt: isoTime(job.createdAt),
    ...isoMember('startedAt', job.startedAt),
    ...isoMember('finishedAt', job.finishedAt),
  }
}

function describeSpec(spec: JobSpec) {
  return {
    ...present(spec, 'dockerImage', 'spaceId'),
    command: spec.command,
    arguments: spec.arguments,
    environment: spec.environment,
    secrets: spec.secrets,
    flavor: spec.flavor,
    labels: spec.labels,
  }
}

export function describeScheduledJob(deps: ViewDeps, scheduled: ScheduledJob): ScheduledJobItem {
  const { id, ownerId, creatorId, spec, schedule, suspend, concurrency, lastJob } = scheduled
  const stage = deps.state.jobs.get(lastJob?.id ?? '')?.stage
  return {
    id,
    namespace: accountName(deps, ownerId),
    creator: userRef(deps, creatorId),
    ...describeSpec(spec),
    schedule,
    suspend,
    concurrency,
    ...isoMember('nextRunAt', scheduled.nextRunAt),
    ...(lastJob === undefined
      ? {}
      : { lastJob: { id: lastJob.id, at: isoTime(lastJob.at), ...omitUndefined({ stage }) } }),
    createdAt: isoTime(scheduled.createdAt),
  }
}

export function describeJobWithLogs(deps: ViewDeps, job: Job): JobDetail {
  return {
    ...describeJob(deps, job),
    logs: deps.state.jobLogs
      .group('job', job.id)
      .flatMap(({ lines }) => lines.map(({ at, text }) => ({ at: isoTime(at), line: text }))),
  }
}
