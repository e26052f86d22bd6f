import { isoTime } from '../core/time.ts'
import type { Deps } from '../events/deps.ts'
import type { Job } from '../state/entities/webhooks.ts'
import { describeSpec } from './job-spec.ts'

/**
 * Job as the hub's API returns it.
 * @param root of the URL of the owner's picture
 */
export function hubJob({ state }: Pick<Deps, 'state'>, job: Job, root: string) {
  const { id, ownerId, ownerType, namespace, spec, stage, message, createdAt } = job
  const { startedAt = null, finishedAt = null, initiatorType, initiatorId } = job
  const initiator = state.users.get(initiatorId)
  const avatarUrl = `${root}/avatars/${namespace}.svg`
  return {
    type: 'job' as const,
    id,
    status: { stage, message: message ?? null, failureCount: stage === 'ERROR' ? 1 : 0 },
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(finishedAt ?? startedAt ?? createdAt),
    startedAt: startedAt === null ? null : isoTime(startedAt),
    finishedAt: finishedAt === null ? null : isoTime(finishedAt),
    ...(initiator && { createdBy: { id: initiator.id, name: initiator.username } }),
    dockerImage: null,
    spaceId: null,
    ...describeSpec(spec),
    owner: { id: ownerId, name: namespace, type: ownerType, avatarUrl },
    initiator: {
      type: initiatorType,
      id: initiatorId,
      ...(initiator && { name: initiator.username }),
    },
    durations: {
      schedulingSecs: secondsBetween(createdAt, startedAt),
      runningSecs: secondsBetween(startedAt, finishedAt),
      totalSecs: secondsBetween(createdAt, finishedAt),
    },
  }
}

function secondsBetween(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(Math.round((to - from) / 1000), 0)
}
