import type { Deps } from '../deps.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { HubCollection, Repo } from '../../store/entities/hub-entities.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import { type AccessQuestion, decide } from './access.ts'
import {
  type AccessRule,
  accountRules,
  collectionRules,
  namespaceRules,
  repoRules,
} from './access-rules.ts'
import { missingScopes, narrowestScopes } from './token-limits.ts'

/** Action on the hub, and the owners on whose resources a token permits it. */
export interface TokenRight {
  what: string
  /** Narrowest scopes that an app's token needs; empty = no scope permits it. */
  scopes: string[]
  /** In the order of the owners, without owners that cannot have such resources. */
  verdicts: { ownerId: string; allowed: boolean; because?: string }[]
}

interface Doing {
  what: string
  rule: AccessRule
  ask: (ownerId: string) => AccessQuestion
  /** Applies to non-public resources. */
  isPrivate?: true
  /** Owners of such resources; absent = all. */
  of?: 'the user alone' | 'organizations'
}

const doings: readonly Doing[] = [
  ...repoDoings([
    ['Read private repos', 'repo.download', 'private'],
    ['Commit, branch and tag', 'repo.write', 'private'],
    ['Delete repos and change their settings', 'repo.settings', 'private'],
    ['Open discussions and pull requests', 'discussion.create', 'public'],
    ['Merge pull requests', 'pull-request.merge', 'public'],
  ]),
  ownedDoing('Create repos', 'repo.create'),
  {
    what: 'Read private collections',
    rule: collectionRules['collection.read'],
    isPrivate: true,
    ask: (ownerId) => ({ action: 'collection.read', collection: exampleCollection(ownerId) }),
  },
  ownedDoing('Create collections', 'collection.create'),
  ownedDoing('Run jobs', 'jobs'),
  ownedDoing('Call inference providers', 'inference'),
  ownedDoing('Read and call inference endpoints', 'endpoints.read'),
  ownedDoing('Manage inference endpoints', 'endpoints.write'),
  { ...ownedDoing('Read the audit log', 'audit-log.read'), of: 'organizations' },
  {
    ...ownedDoing('Manage members and resource groups', 'organization.manage'),
    of: 'organizations',
  },
  accountDoing('List one’s own repos', 'repos.list'),
  accountDoing('Manage webhooks', 'webhooks'),
  accountDoing('Read quotas', 'billing.read'),
  accountDoing('Like repos and change the account', 'account'),
]

/**
 * Lists the actions that a token permits, by the rules that decide requests: each rule is applied to a repo or collection
 * of the owner that another user created, outside resource groups.
 * @param organizationIds owners besides the user
 */
export function listTokenRights(
  deps: Pick<Deps, 'state' | 'settings'>,
  { user, token }: { user: User; token: AccessToken },
  organizationIds: readonly string[],
): TokenRight[] {
  const judge = (ownerId: string, question: AccessQuestion) => {
    const decision = decide(deps, { kind: 'token', user, token }, question)
    if (decision.allowed) return { ownerId, allowed: true }
    const reason = decision.options.detail ?? decision.message
    // The token's scopes are shown above the table; repeating them in each cell would hide the rest.
    return {
      ownerId,
      allowed: false,
      because: reason.replace(/^the token has the scopes .*; this /, ''),
    }
  }
  return doings.map(({ what, rule, ask, isPrivate = false, of }) => ({
    what,
    scopes: leastScopes(token, rule, isPrivate),
    verdicts: [
      ...(of === 'organizations' ? [] : [user.id]),
      ...(of === 'the user alone' ? [] : organizationIds),
    ].map((ownerId) => judge(ownerId, ask(ownerId))),
  }))
}

/** Returns the scopes that an app's token without any would lack. */
function leastScopes(token: AccessToken, rule: AccessRule, isPrivate: boolean): string[] {
  const target = { ownerId: token.userId, isPrivate, isAuthor: true }
  return narrowestScopes(missingScopes({ ...token, scopes: [] }, rule, target) ?? [])
}

function repoDoings(
  list: readonly (readonly [string, keyof typeof repoRules, Repo['visibility']])[],
): Doing[] {
  return list.map(([what, action, visibility]) => ({
    what,
    rule: repoRules[action],
    ...(visibility === 'private' ? { isPrivate: true } : {}),
    ask: (ownerId) => ({ action, repo: exampleRepo(ownerId, visibility) }),
  }))
}

function ownedDoing(what: string, action: keyof typeof namespaceRules): Doing {
  return { what, rule: namespaceRules[action], ask: (ownerId) => ({ action, ownerId }) }
}

function accountDoing(what: string, action: keyof typeof accountRules): Doing {
  return { what, rule: accountRules[action], ask: () => ({ action }), of: 'the user alone' }
}

/** Builds an example repo: the rules read its owner and visibility. */
function exampleRepo(ownerId: string, visibility: Repo['visibility']): Repo {
  return {
    id: '',
    type: 'model',
    name: '',
    ownerId,
    visibility,
    gated: false,
    likes: 0,
    downloads: 0,
    refs: {},
    lastDiscussionNumber: 0,
    accessRequests: [],
    createdAt: 0,
    updatedAt: 0,
  }
}

function exampleCollection(ownerId: string): HubCollection {
  return {
    id: '',
    ownerId,
    title: '',
    private: true,
    theme: '',
    items: [],
    createdAt: 0,
    updatedAt: 0,
  }
}
