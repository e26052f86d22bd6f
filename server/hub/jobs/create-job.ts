import type { CreateJobRequest, CreateScheduledJobRequest } from '../../contract/control-jobs.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import type { State } from '../../store/state.ts'
import { findNamespace, type NamespaceOwner } from '../files/repo-names.ts'
import { findScheduleProblem } from './cron.ts'
import { completeSpec, findSpecIssues } from './job-spec.ts'
import type { Jobs } from './jobs.ts'
import type { ScheduledJobs } from './scheduled-jobs.ts'
import type { Job, ScheduledJob } from '../../store/entities/webhook-entities.ts'
import { requireUser } from '../../store/lookups.ts'

/** @throws {Refusal} `invalid` with every mistake */
export function createJobByHand(
  deps: { readonly state: State; readonly jobs: Pick<Jobs, 'run'> },
  { user, namespace, ...spec }: CreateJobRequest,
): Job {
  const { owner, creatorId } = partiesOf(deps, user, namespace)
  refuseIssues(findSpecIssues(spec))
  return deps.jobs.run({
    owner,
    spec: completeSpec(spec),
    initiator: { type: 'user', id: creatorId },
    creatorId,
  })
}

/** @throws {Refusal} `invalid` with every mistake, `forbidden` at the limit */
export function createScheduledJobByHand(
  deps: { readonly state: State; readonly scheduledJobs: Pick<ScheduledJobs, 'create'> },
  request: CreateScheduledJobRequest,
): ScheduledJob {
  const { user, namespace, schedule, suspend, concurrency, ...jobSpec } = request
  const { owner, creatorId } = partiesOf(deps, user, namespace)
  const problem = findScheduleProblem(schedule)
  // Here the fields of the job are beside the schedule.
  refuseIssues([
    ...findSpecIssues(jobSpec),
    ...(problem === undefined ? [] : [{ path: 'schedule', message: problem }]),
  ])
  const body = { jobSpec, schedule, ...omitUndefined({ suspend, concurrency }) }
  return deps.scheduledJobs.create({ owner, creatorId, body })
}

function partiesOf(
  deps: { readonly state: State },
  username: string,
  namespace = username,
): { owner: NamespaceOwner; creatorId: string } {
  const { id: creatorId } = requireUser(deps, username, 'user')
  const owner = findNamespace(deps.state, namespace)
  if (owner !== undefined) return { owner, creatorId }
  const message = `There is no user or organization ${namespace}.`
  throw new Refusal('invalid', message, { issues: [{ path: 'namespace', message }] })
}
