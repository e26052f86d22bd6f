import type { Deps } from '../core/deps.ts'
import type { HubEvent } from '../hub/hub-event.ts'
import type { User } from '../state/entities/accounts.ts'
import type { MatchWorld } from './match.ts'
import { blockedWithoutResolver, type TargetPolicy } from './target.ts'

/** What decides who can read a repository; that of an event, even if it is deleted since. */
export type ReadableRepo = Pick<HubEvent['repo'], 'id' | 'private' | 'ownerId' | 'resourceGroupId'>

export interface MatchWorldOptions {
  policy: TargetPolicy
  canRead: (user: User, repo: ReadableRepo) => boolean
  hasQuota: MatchWorld['hasQuota']
}

/** Answers what matching asks about the rest of the sandbox, out of its present state. */
export function createMatchWorld(
  { state }: Pick<Deps, 'state'>,
  { policy, canRead, hasQuota }: MatchWorldOptions,
): MatchWorld {
  return {
    canSee(webhook, event) {
      const owner = state.users.get(webhook.ownerId)
      return owner !== undefined && canRead(owner, event.repo)
    },
    leadsTo(type, name, repoId) {
      return state.repoRedirects.get(`${type}/${name.toLowerCase()}`)?.repoId === repoId
    },
    ownerType(ownerId) {
      if (state.users.has(ownerId)) return 'user'
      return state.organizations.has(ownerId) ? 'org' : undefined
    },
    isBlocked: (url) => blockedWithoutResolver(new URL(url), policy) !== undefined,
    hasQuota,
  }
}
