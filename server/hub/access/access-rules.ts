import type { Scope } from '../../contract/scopes.ts'
import type { Right } from './rights.ts'

/** Any one of these is enough. The first is the smallest, which a refusal names. */
type AnyScope = readonly [Scope, ...Scope[]]

export interface AccessRule {
  /** The least right of the user. */
  readonly right: Right
  /** Who wrote the discussion or comment needs no more right than reading; `only`: nobody else may. */
  readonly author?: 'suffices' | 'only'
  /** What an OAuth token needs, each of them; absent = no scope opens this. */
  readonly scopes?: readonly AnyScope[]
  /** Also needed where the target is private. */
  readonly privateScopes?: readonly AnyScope[]
  /** Also needed by somebody who is not the author. */
  readonly foreignScopes?: readonly AnyScope[]
  /** `contribute-repos` is enough for repos that the app made. */
  readonly ownApp?: true
  /** What a fine-grained user access token needs, one of them. */
  readonly permissions: readonly string[]
  /** Read tokens are enough, and so is nobody, where the target is public. */
  readonly reads?: true
  /** What it is, for messages: "… needs the write right". */
  readonly label: string
}

const read: AnyScope = ['read-repos', 'write-repos', 'manage-repos']
const write: AnyScope = ['write-repos', 'manage-repos']
const manage: AnyScope = ['manage-repos']
const discuss: AnyScope = ['write-discussions']

/** What an OAuth token needs, one of them, to read a gated repo's files for a user who may. */
export const gateScopes: AnyScope = ['gated-repos', ...read]

export const repoRules = {
  'repo.read': {
    label: 'Reading',
    right: 'read',
    scopes: [],
    privateScopes: [read],
    ownApp: true,
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  /** Reading files, for which a gated repo has a list. */
  'repo.download': {
    label: 'Reading files',
    right: 'read',
    scopes: [],
    privateScopes: [read],
    ownApp: true,
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  'repo.write': {
    label: 'Committing, branching and tagging',
    right: 'write',
    scopes: [write],
    ownApp: true,
    permissions: ['repo.write'],
  },
  'repo.delete': {
    label: 'Deleting',
    right: 'write',
    scopes: [manage],
    permissions: ['repo.write'],
  },
  'repo.settings': {
    label: 'Changing settings',
    right: 'write',
    scopes: [manage],
    permissions: ['repo.write'],
  },
  /** Within its namespace; leaving an organization needs its administrator. */
  'repo.move': {
    label: 'Moving',
    right: 'write',
    scopes: [manage],
    permissions: ['repo.write'],
  },
  /** Deciding who may read a gated repo. */
  'repo.access': {
    label: 'Deciding on access requests',
    right: 'write',
    scopes: [manage],
    permissions: ['repo.write'],
  },
  'discussion.create': {
    label: 'Opening a discussion',
    right: 'read',
    scopes: [discuss],
    privateScopes: [read],
    permissions: ['discussion.write'],
  },
  'discussion.comment': {
    label: 'Commenting',
    right: 'read',
    scopes: [discuss],
    privateScopes: [read],
    permissions: ['discussion.write'],
  },
  /** Title and status. */
  'discussion.change': {
    label: "Changing somebody else's discussion",
    right: 'write',
    author: 'suffices',
    scopes: [discuss],
    privateScopes: [read],
    foreignScopes: [write],
    permissions: ['discussion.write'],
  },
  'discussion.delete': {
    label: 'Deleting a discussion',
    right: 'write',
    scopes: [discuss, write],
    permissions: ['repo.write'],
  },
  'comment.edit': {
    label: "Editing somebody else's comment",
    right: 'read',
    author: 'only',
    scopes: [discuss],
    privateScopes: [read],
    permissions: ['discussion.write'],
  },
  'comment.hide': {
    label: "Hiding somebody else's comment",
    right: 'write',
    author: 'suffices',
    scopes: [discuss],
    privateScopes: [read],
    foreignScopes: [write],
    permissions: ['discussion.write'],
  },
  'pull-request.create': {
    label: 'Opening a pull request',
    right: 'read',
    scopes: [discuss],
    privateScopes: [read],
    permissions: ['discussion.write'],
  },
  /** A commit that opens its pull request, or one on its own pull request. */
  'pull-request.commit': {
    label: 'Committing to a pull request',
    right: 'read',
    scopes: [[...discuss, ...write]],
    privateScopes: [read],
    ownApp: true,
    permissions: ['discussion.write', 'repo.write'],
  },
  'pull-request.merge': {
    label: 'Merging',
    right: 'write',
    scopes: [discuss, write],
    permissions: ['repo.write'],
  },
} as const satisfies Record<string, AccessRule>

export const namespaceRules = {
  'repo.create': {
    label: 'Creating a repo',
    right: 'contributor',
    scopes: [['contribute-repos', ...manage]],
    permissions: ['repo.write'],
  },
  'repo.move-into': {
    label: 'Moving a repo here',
    right: 'contributor',
    scopes: [manage],
    permissions: ['repo.write'],
  },
  'collection.create': {
    label: 'Creating a collection',
    right: 'write',
    scopes: [['write-collections']],
    permissions: ['collection.write'],
  },
  jobs: { label: 'Running jobs', right: 'write', scopes: [['jobs']], permissions: ['job.write'] },
  'audit-log.read': {
    label: 'Reading the audit log',
    right: 'admin',
    permissions: ['org.read', 'org.write'],
    reads: true,
  },
  /** Members, resource groups, tokens of members. */
  'organization.manage': {
    label: 'Managing the organization',
    right: 'admin',
    permissions: ['org.write'],
  },
} as const satisfies Record<string, AccessRule>

export const collectionRules = {
  'collection.read': {
    label: 'Reading',
    right: 'read',
    scopes: [],
    privateScopes: [['read-collections', 'write-collections']],
    permissions: ['collection.read', 'collection.write'],
    reads: true,
  },
  'collection.write': {
    label: 'Changing',
    right: 'write',
    scopes: [['write-collections']],
    permissions: ['collection.write'],
  },
} as const satisfies Record<string, AccessRule>

/** What concerns the user alone; the right is always there. */
export const accountRules = {
  webhooks: {
    label: 'Managing webhooks',
    right: 'admin',
    scopes: [['webhooks']],
    permissions: ['user.webhooks.write'],
  },
  'repos.list': {
    label: 'Listing your repos',
    right: 'admin',
    scopes: [read],
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  /** Likes and account settings. */
  account: { label: 'Changing your account', right: 'admin', permissions: ['user.write'] },
} as const satisfies Record<string, AccessRule>

export type RepoAction = keyof typeof repoRules
export type NamespaceAction = keyof typeof namespaceRules
export type CollectionAction = keyof typeof collectionRules
export type AccountAction = keyof typeof accountRules
