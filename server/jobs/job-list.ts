import type { JobListQuery } from '../contract/hub-jobs.ts'
import type { Deps } from '../events/deps.ts'
import type { Job } from '../state/entities/webhooks.ts'
import { nameKey } from '../state/state.ts'

export interface JobPage {
  items: Job[]
  nextCursor?: string
}

/** The jobs of a namespace, the newest first. */
export function listJobs(
  { state }: Pick<Deps, 'state'>,
  namespace: string,
  { stage, label, cursor, limit = 100 }: JobListQuery,
): JobPage {
  const stages = stage === undefined ? undefined : [stage].flat().map((name) => name.toUpperCase())
  const labels = [label ?? []].flat()
  const all = state.jobs.group('namespace', nameKey(namespace)).toReversed()
  const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  const items: Job[] = []
  for (const job of all.slice(from)) {
    if (stages !== undefined && !stages.includes(job.stage)) continue
    if (!labels.every((pair) => hasLabel(job, pair))) continue
    if (items.length === limit) return { items, nextCursor: items.at(-1)?.id ?? '' }
    items.push(job)
  }
  return { items }
}

function hasLabel({ spec }: Job, pair: string): boolean {
  const [key = '', ...value] = pair.split('=')
  return Object.hasOwn(spec.labels, key) && spec.labels[key] === value.join('=')
}
