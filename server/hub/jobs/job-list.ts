import type { JobFilterQuery, JobListQuery } from '../../contract/hub-jobs.ts'
import type { Deps } from '../../events/deps.ts'
import type { Job } from '../../state/entities/webhooks.ts'
import { nameKey } from '../../state/state.ts'

export interface JobPage {
  items: Job[]
  nextCursor?: string
}

/** Returns a page of the jobs of a namespace, the newest first. */
export function listJobs(
  deps: Pick<Deps, 'state'>,
  namespace: string,
  { cursor, limit = 100, ...filter }: JobListQuery,
): JobPage {
  const all = findJobs(deps, namespace, filter)
  const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  const items = all.slice(from, from + limit)
  return from + limit < all.length ? { items, nextCursor: items.at(-1)?.id ?? '' } : { items }
}

/** Finds jobs of a namespace by stage and labels, the newest first. */
export function findJobs(
  { state }: Pick<Deps, 'state'>,
  namespace: string,
  { stage, label }: JobFilterQuery,
): Job[] {
  const stages = stage === undefined ? undefined : [stage].flat().map((name) => name.toUpperCase())
  const labels = [label ?? []].flat()
  return state.jobs
    .group('namespace', nameKey(namespace))
    .toReversed()
    .filter(
      (job) =>
        (stages === undefined || stages.includes(job.stage)) &&
        labels.every((pair) => hasLabel(job, pair)),
    )
}

function hasLabel({ spec }: Job, pair: string): boolean {
  const [key = '', ...value] = pair.split('=')
  return Object.hasOwn(spec.labels, key) && spec.labels[key] === value.join('=')
}
