import type { HubEvent } from '../../events/hub-event.ts'
import type { AnyRepoType } from '../../../contract/words/hub-words.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import type { EventDomain, SkipReason } from '../../../contract/words/webhook-words.ts'
import type { OwnerType } from '../../../contract/words/account-words.ts'

export type Match =
  | { readonly matched: true; /** `org:acme` */ readonly by: string }
  | { readonly matched: false; readonly reason: SkipReason }

/** Questions of the matching rules about the rest of the sandbox. */
export interface MatchWorld {
  /** Returns whether the owner of the webhook can read the repository of the event. */
  canSee(webhook: Webhook, event: HubEvent): boolean
  /** Returns whether this repository had the watched name before a move. */
  leadsTo(type: AnyRepoType, name: string, repoId: string): boolean
  ownerType(ownerId: string): OwnerType | undefined
  /** Returns whether the sandbox refuses to call the URL, as far as is known without resolving its host. */
  isBlocked(url: string): boolean
  /** Returns whether the quota of the webhook allows one more delivery. */
  hasQuota(webhook: Webhook): boolean
}

/**
 * Decides whether a webhook gets a delivery of an event. Settings of the webhook are checked before obstacles, so the
 * reason is the one that its user can act on. There is one delivery, however many watched items match.
 */
export function matchEvent(webhook: Webhook, event: HubEvent, world: MatchWorld): Match {
  const watched = webhook.watched.find((item) => watches(item, event, world))
  if (watched === undefined) return skip('not-watched')
  if (!webhook.domains.includes(domainOf(event.scope))) return skip('domain-filtered')
  if (!world.canSee(webhook, event)) return skip('private-not-visible')
  if (webhook.status === 'disabled') return skip('disabled')
  if (webhook.status === 'suspended-after-failure') return skip('suspended')
  if (webhook.url !== undefined && world.isBlocked(webhook.url)) {
    return skip('offline-target-blocked')
  }
  if (!world.hasQuota(webhook)) return skip('quota-exceeded')
  return { matched: true, by: `${watched.type}:${watched.name}` }
}

/** `repo` covers repo, repo.content and repo.config; `discussion` covers discussion and its comments. */
function domainOf(scope: string): EventDomain {
  return scope === 'discussion' || scope.startsWith('discussion.') ? 'discussion' : 'repo'
}

function watches(item: Webhook['watched'][number], event: HubEvent, world: MatchWorld): boolean {
  const name = item.name.toLowerCase()
  const { repo, movedTo } = event
  if (item.type === 'user' || item.type === 'org') {
    // A transfer matches webhooks that watch the old owner or the new one.
    return (
      (namespaceOf(repo.name) === name && world.ownerType(repo.ownerId) === item.type) ||
      (movedTo !== undefined &&
        namespaceOf(movedTo.name) === name &&
        world.ownerType(movedTo.ownerId) === item.type)
    )
  }
  if (item.type !== repo.type) return false
  return repo.name.toLowerCase() === name || world.leadsTo(repo.type, item.name, repo.id)
}

function namespaceOf(repoName: string): string {
  return (repoName.split('/')[0] ?? '').toLowerCase()
}

function skip(reason: SkipReason): Match {
  return { matched: false, reason }
}
