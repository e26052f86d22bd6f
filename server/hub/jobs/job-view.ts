import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import type { Job } from '../../store/entities/webhook-entities.ts'
import { describeSpec } from './job-spec.ts'

/**
 * Describes a job as the hub's API does.
 * @param root origin of the avatar's URL
 */
export function hubJob({ state }: Pick<Deps, 'state'>, job: Job, root: string) {
  const { id, ownerId, ownerType, namespace, spec, stage, message, createdAt } = job
  const { startedAt, finishedAt, initiatorType, initiatorId, creatorId = initiatorId } = job
  const { timeoutSeconds, ...shown } = describeSpec(spec)
  const creator = state.users.get(creatorId)
  const pictureOf = (name: string) => `${root}/avatars/${name}.svg`
  return {
    type: 'job' as const,
    id,
    status: {
      stage,
      message: message ?? null,
      failureCount: stage === 'ERROR' ? 1 : 0,
      ...describeReach(job),
    },
    createdAt: isoTime(createdAt),
    ...omitUndefined({
      startedAt: startedAt === undefined ? undefined : isoTime(startedAt),
      finishedAt: finishedAt === undefined ? undefined : isoTime(finishedAt),
      timeout: timeoutSeconds ?? undefined,
    }),
    // Clients need it for every job, even if its user was deleted.
    createdBy: { id: creatorId, name: creator?.username ?? namespace },
    ...shown,
    owner: { id: ownerId, name: namespace, type: ownerType, avatarUrl: pictureOf(namespace) },
    initiator: {
      type: initiatorType,
      id: initiatorId,
      ...(initiatorType === 'user' && {
        name: creator?.username ?? namespace,
        avatarUrl: pictureOf(creator?.username ?? namespace),
      }),
    },
    durations: omitUndefined({
      schedulingSecs: secondsBetween(createdAt, startedAt),
      runningSecs: secondsBetween(startedAt, finishedAt),
      totalSecs: secondsBetween(createdAt, finishedAt),
    }),
  }
}

/** URLs that the hub would give a job, by which nothing is reached here. */
function describeReach({ id, spec: { expose, ssh = false } }: Job) {
  return {
    ...(expose !== undefined && {
      exposeUrls: expose.ports.map((port) => `https://${id}--${port}.hf.jobs`),
    }),
    ...(ssh && { sshUrl: `ssh://${id}@ssh.hf.jobs` }),
  }
}

function secondsBetween(from: number | undefined, to: number | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined
  return Math.max(Math.round((to - from) / 1000), 0)
}
