import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import type { ScheduledJob } from '../../store/entities/webhook-entities.ts'
import type { NamespaceOwner } from '../files/repo-names.ts'
import { describeSpec } from './job-spec.ts'

/**
 * Describes a scheduled job as the hub's API does.
 * @param root origin of the avatars' URLs
 */
export function hubScheduledJob(
  { state }: Pick<Deps, 'state'>,
  scheduled: ScheduledJob,
  { owner, root }: { owner: NamespaceOwner; root: string },
) {
  const { id, spec, schedule, suspend, concurrency, lastJob, nextRunAt, createdAt } = scheduled
  const { timeoutSeconds, ...shown } = describeSpec(spec)
  const creator = state.users.get(scheduled.creatorId)?.username ?? owner.name
  const pictureOf = (name: string) => `${root}/avatars/${name}.svg`
  return {
    type: 'scheduled-job' as const,
    id,
    createdAt: isoTime(createdAt),
    jobSpec: { ...shown, ...omitUndefined({ timeout: timeoutSeconds ?? undefined }) },
    schedule,
    suspend,
    concurrency,
    status: {
      lastJob: lastJob === undefined ? null : { id: lastJob.id, at: isoTime(lastJob.at) },
      nextJobRunAt: nextRunAt === undefined ? null : isoTime(nextRunAt),
    },
    owner: { id: owner.id, name: owner.name, type: owner.kind, avatarUrl: pictureOf(owner.name) },
    initiator: {
      type: 'user' as const,
      id: scheduled.creatorId,
      name: creator,
      avatarUrl: pictureOf(creator),
    },
  }
}
