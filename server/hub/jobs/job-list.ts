import type { JobFilterQuery, JobListQuery } from '../../contract/hub-jobs.ts'
import type { Deps } from '../deps.ts'
import type { Job, JobSpec } from '../../store/entities/webhook-entities.ts'
import { roughJsonLength } from '../../core/json-length.ts'
import { nameKey } from '../../store/state.ts'

export interface JobPage {
  items: Job[]
  nextCursor?: string
}

/** Length of the specs on a page as JSON, about; it has at least one job. */
const mostCharacters = 2 * 1024 * 1024

/** Returns a page of the jobs of a namespace, the newest first. */
export function listJobs(
  deps: Pick<Deps, 'state'>,
  namespace: string,
  { cursor, limit = 100, ...filter }: JobListQuery,
): JobPage {
  const all = findJobs(deps, namespace, filter)
  const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  const items: Job[] = []
  let length = 0
  for (const job of all.slice(from, from + limit)) {
    if (length > mostCharacters) break
    length += roughJsonLength(job.spec)
    items.push(job)
  }
  const isLast = from + items.length >= all.length
  return isLast ? { items } : { items, nextCursor: items.at(-1)?.id ?? '' }
}

/** Finds jobs of a namespace by stage and labels, the newest first. */
export function findJobs(
  { state }: Pick<Deps, 'state'>,
  namespace: string,
  { stage, label }: JobFilterQuery,
): Job[] {
  const stages = stage === undefined ? undefined : [stage].flat()
  return state.jobs
    .group('namespace', nameKey(namespace))
    .toReversed()
    .filter(
      (job) => (stages === undefined || stages.includes(job.stage)) && hasLabels(job.spec, label),
    )
}

/** @param pairs each key=value */
export function hasLabels(
  { labels }: Pick<JobSpec, 'labels'>,
  pairs: string | readonly string[] = [],
): boolean {
  return [pairs].flat().every((pair) => {
    const [key = '', ...value] = pair.split('=')
    return Object.hasOwn(labels, key) && labels[key] === value.join('=')
  })
}
