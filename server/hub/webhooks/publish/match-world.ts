import type { Deps } from '../../deps.ts'
import { repoKey } from '../../files/repo-names.ts'
import { canRead } from '../../access/rights.ts'
import type { MatchWorld } from './match.ts'

export interface MatchWorldOptions {
  isBlocked: MatchWorld['isBlocked']
  hasQuota: MatchWorld['hasQuota']
}

/** Reads what matching needs to know from the state. */
export function createMatchWorld(
  { state }: Pick<Deps, 'state'>,
  { isBlocked, hasQuota }: MatchWorldOptions,
): MatchWorld {
  return {
    canSee(webhook, event) {
      return canRead({ state }, state.users.get(webhook.ownerId), event.repo)
    },
    leadsTo(type, name, repoId) {
      return state.repoRedirects.get(repoKey(type, name))?.repoId === repoId
    },
    ownerType(ownerId) {
      if (state.users.has(ownerId)) return 'user'
      return state.organizations.has(ownerId) ? 'org' : undefined
    },
    isBlocked,
    hasQuota,
  }
}
