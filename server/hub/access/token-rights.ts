import type { Deps } from '../../events/deps.ts'
import type { User } from '../../state/entities/accounts.ts'
import type { HubCollection, Repo } from '../../state/entities/hub.ts'
import type { AccessToken } from '../../state/entities/oauth.ts'
import { type AccessQuestion, decide } from './access.ts'
import {
  type AccessRule,
  accountRules,
  collectionRules,
  namespaceRules,
  repoRules,
} from './access-rules.ts'
import { missingScopes } from './token-limits.ts'

/** One thing that is done on the hub, and with whose things a token lets it be done. */
export interface TokenRight {
  what: string
  /** The least scopes that a token of an app needs; none = no scope opens it. */
  scopes: string[]
  /** In the order of the owners, without those who have no such things. */
  verdicts: { ownerId: string; allowed: boolean; because?: string }[]
}

interface Doing {
  what: string
  rule: AccessRule
  ask: (ownerId: string) => AccessQuestion
  /** Whether it is done to what not everybody sees. */
  isPrivate?: true
  /** Whose things there are; absent = everybody's. */
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
  { ...ownedDoing('Read the audit log', 'audit-log.read'), of: 'organizations' },
  {
    ...ownedDoing('Manage members and resource groups', 'organization.manage'),
    of: 'organizations',
  },
  accountDoing('List one’s own repos', 'repos.list'),
  accountDoing('Manage webhooks', 'webhooks'),
  accountDoing('Like repos and change the account', 'account'),
]

/**
 * What a token lets be done, by the very rules that answer requests: each is asked of a repo or collection of the owner
 * that somebody else made, outside of resource groups.
 * @param organizationIds whose things, besides the user's own
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
    // What the token has stands above the table; in each of its cells it would hide the rest.
    return {
      ownerId,
      allowed: false,
      because: reason.replace(/^the token has the scopes .*; /, ''),
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

/** What a token of an app would lack without any scope. */
function leastScopes(token: AccessToken, rule: AccessRule, isPrivate: boolean): string[] {
  const target = { ownerId: token.userId, isPrivate, isAuthor: true }
  return missingScopes({ ...token, scopes: [] }, rule, target) ?? []
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

/** A repo that nobody made: the rules look at whose it is, and who may see it. */
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
