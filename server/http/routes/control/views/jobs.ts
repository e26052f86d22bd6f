import { isoTime } from '../../../../core/time.ts'
import type { JobDetail, JobItem } from '../../../../contract/control-jobs.ts'
import type { Job } from '../../../../state/entities/webhooks.ts'
import { isoMember, present, accountRef, type ViewDeps } from './refs.ts'

export function describeJob(deps: ViewDeps, job: Job): JobItem {
  const { spec } = job
  return {
    id: job.id,
    namespace: job.namespace,
    owner: accountRef(deps, job.ownerId),
    ...present(spec, 'dockerImage', 'spaceId'),
    command: spec.command,
    arguments: spec.arguments,
    environment: spec.environment,
    secrets: spec.secrets,
    flavor: spec.flavor,
    labels: spec.labels,
    stage: job.stage,
    ...present(job, 'message', 'exitCode', 'deliveryId'),
    executed: job.executed,
    createdAt: isoTime(job.createdAt),
    ...isoMember('startedAt', job.startedAt),
    ...isoMember('finishedAt', job.finishedAt),
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
