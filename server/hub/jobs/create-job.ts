import type { CreateJobRequest } from '../../contract/control-jobs.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import type { State } from '../../state/state.ts'
import { findNamespace } from '../files/repo-names.ts'
import { completeSpec, findSpecIssues } from './job-spec.ts'
import type { Jobs } from './jobs.ts'
import type { Job } from '../../state/entities/webhooks.ts'
import { requireUser } from '../../state/lookups.ts'

/** @throws {Refusal} `invalid` with every mistake */
export function createJobByHand(
  deps: { readonly state: State; readonly jobs: Pick<Jobs, 'run'> },
  { user: username, namespace = username, ...spec }: CreateJobRequest,
): Job {
  const user = requireUser(deps, username, 'user')
  const owner = findNamespace(deps.state, namespace)
  if (owner === undefined) {
    const message = `There is no user or organization ${namespace}.`
    throw new Refusal('invalid', message, { issues: [{ path: 'namespace', message }] })
  }
  refuseIssues(findSpecIssues(spec))
  return deps.jobs.run({
    owner,
    spec: completeSpec(spec),
    initiator: { type: 'user', id: user.id },
    creatorId: user.id,
  })
}
