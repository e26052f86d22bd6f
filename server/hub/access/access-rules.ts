import type { Scope } from '../../contract/scopes.ts'
import type { Right } from './rights.ts'

/** Scopes of which one is enough, the narrowest first; a refusal names all of them. */
export type AnyScope = readonly [Scope, ...Scope[]]

export interface AccessRule {
  /** Right that the user needs at least. */
  readonly right: Right
  /** The author of the discussion or comment needs only the right to read; `only`: no other user may. */
  readonly author?: 'suffices' | 'only'
  /** Scopes that an OAuth token needs, all of them; absent = no scope permits this. */
  readonly scopes?: readonly AnyScope[]
  /** Also needed where the target is private. */
  readonly privateScopes?: readonly AnyScope[]
  /** Also needed for files of a gated repo: one of another owner, and one of the user or a granted organization. */
  readonly gatedScopes?: { readonly foreign: AnyScope; readonly own: AnyScope }
  /** Also needed by users other than the author. */
  readonly foreignScopes?: readonly AnyScope[]
  /** `contribute-repos` is enough for repos that the app created. */
  readonly ownApp?: true
  /** Open to the token of the repo's own trusted publisher, which has no scopes. */
  readonly publisher?: true
  /** Permissions of which a fine-grained user access token needs one. */
  readonly permissions: readonly string[]
  /** Read tokens are enough; public targets need no token. */
  readonly reads?: true
  /** Even the right to read is for members only. */
  readonly ofMembers?: true
  /** Subject of messages: "… needs the write right". */
  readonly label: string
  /** Name in the table of scopes, where the label says less. */
  readonly title?: string
}

const read: AnyScope = ['read-repos', 'write-repos', 'manage-repos']
const write: AnyScope = ['write-repos', 'manage-repos']
const manage: AnyScope = ['manage-repos']
const discuss: AnyScope = ['write-discussions']

export const repoRules = {
  'repo.read': {
    label: 'Reading',
    right: 'read',
    scopes: [],
    privateScopes: [read],
    ownApp: true,
    publisher: true,
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  /** Reads files; a gated repo has an access list for it. */
  'repo.download': {
    label: 'Reading files',
    right: 'read',
    scopes: [],
    privateScopes: [read],
    gatedScopes: { foreign: ['gated-repos'], own: ['gated-repos', ...read] },
    ownApp: true,
    publisher: true,
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  'repo.write': {
    label: 'Committing, branching and tagging',
    right: 'write',
    scopes: [write],
    ownApp: true,
    publisher: true,
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
  /** Moves a repo within its namespace; leaving an organization needs an administrator. */
  'repo.move': {
    label: 'Moving',
    right: 'write',
    scopes: [manage],
    permissions: ['repo.write'],
  },
  /** Decides access requests of a gated repo. */
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
    permissions: ['discussion.write'],
  },
  'discussion.comment': {
    label: 'Commenting',
    right: 'read',
    scopes: [discuss],
    permissions: ['discussion.write'],
  },
  /** Title and status. */
  'discussion.change': {
    label: "Changing another user's discussion",
    title: 'Changing a discussion',
    right: 'write',
    author: 'suffices',
    scopes: [discuss],
    permissions: ['discussion.write'],
  },
  'discussion.pin': {
    label: 'Pinning a discussion',
    right: 'write',
    scopes: [discuss, write],
    permissions: ['repo.write'],
  },
  'discussion.delete': {
    label: 'Deleting a discussion',
    right: 'write',
    scopes: [discuss, write],
    permissions: ['repo.write'],
  },
  'comment.edit': {
    label: "Editing another user's comment",
    title: 'Editing a comment',
    right: 'read',
    author: 'only',
    scopes: [discuss],
    permissions: ['discussion.write'],
  },
  'comment.hide': {
    label: "Hiding another user's comment",
    title: 'Hiding a comment',
    right: 'write',
    author: 'suffices',
    scopes: [discuss],
    foreignScopes: [write],
    permissions: ['discussion.write'],
  },
  'comment.react': {
    label: 'Reacting to a comment',
    right: 'read',
    scopes: [discuss],
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
    label: 'Committing',
    title: 'Committing to a pull request',
    right: 'read',
    scopes: [[...discuss, ...write]],
    privateScopes: [read],
    ownApp: true,
    publisher: true,
    permissions: ['discussion.write', 'repo.write'],
  },
  'pull-request.merge': {
    label: 'Merging',
    right: 'write',
    scopes: [discuss, write],
    permissions: ['repo.write'],
  },
  'pull-request.delete-ref': {
    label: 'Deleting the ref of a pull request',
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
  /** Calls of models; any member of an organization may make it pay. */
  inference: {
    label: 'Calling inference providers',
    right: 'read',
    ofMembers: true,
    scopes: [['inference-api']],
    permissions: ['inference.serverless.write'],
    reads: true,
  },
  'endpoints.read': {
    label: 'Reading and calling inference endpoints',
    right: 'read',
    ofMembers: true,
    scopes: [['read-endpoints', 'write-endpoints']],
    permissions: ['inference.endpoints.infer.write', 'inference.endpoints.write'],
    reads: true,
  },
  'endpoints.write': {
    label: 'Managing inference endpoints',
    right: 'write',
    scopes: [['write-endpoints']],
    permissions: ['inference.endpoints.write'],
  },
  jobs: { label: 'Running jobs', right: 'write', scopes: [['jobs']], permissions: ['job.write'] },
  'audit-log.read': {
    label: 'Reading the audit log',
    right: 'admin',
    permissions: ['org.read', 'org.write'],
    reads: true,
  },
  /** The response lists only those that the caller may read. */
  'namespace.repos': {
    label: 'Listing repos with their storage',
    right: 'read',
    ofMembers: true,
    scopes: [read],
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  'groups.read': {
    label: 'Listing resource groups',
    right: 'read',
    ofMembers: true,
    scopes: [['read-memberships']],
    permissions: ['org.read', 'org.write'],
    reads: true,
  },
  'roles.read': {
    label: 'Reading the roles of members',
    right: 'read',
    ofMembers: true,
    scopes: [['read-memberships']],
    permissions: ['org.read', 'org.write'],
    reads: true,
  },
  'network.read': {
    label: 'Reading the settings for networks',
    right: 'admin',
    scopes: [['read-network-security', 'write-network-security']],
    permissions: ['org.read', 'org.write'],
    reads: true,
  },
  'network.write': {
    label: 'Changing the settings for networks',
    right: 'admin',
    scopes: [['write-network-security']],
    permissions: ['org.write'],
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

/** Actions on the user's own account, which need no further right. */
export const accountRules = {
  webhooks: {
    label: 'Managing webhooks',
    right: 'admin',
    scopes: [['webhooks']],
    permissions: ['user.webhooks.write'],
  },
  'billing.read': {
    label: 'Reading your quotas',
    right: 'admin',
    scopes: [['read-billing']],
    permissions: ['user.billing.read'],
    reads: true,
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

/**
 * Calls that anyone may make: they return public facts, or of the caller's targets only those that another action permits,
 * or their URL is a permission.
 */
export const openRules = {
  /** Names, pictures and public counts of users and organizations. */
  'account.view': { label: 'Reading public facts of accounts' },
  /** The caller's own identity, as much as the scopes show. */
  'identity.read': { label: 'Reading the identity of a token' },
  /** Facts of the hub itself, checks of a text, reports of leaked tokens. */
  'hub.facts': { label: 'Reading facts of the Hub' },
  /** Tools of the MCP server: each is a call of another action besides. */
  'mcp.call': { label: 'Calling the MCP server', scopes: [['read-mcp']] },
  /** A URL that a batch has signed for one object. */
  'lfs.transfer': { label: 'Transferring an object by a signed URL' },
} as const satisfies Record<string, Pick<AccessRule, 'label' | 'scopes'>>

/** All actions: each route names those that it permits. */
export const accessRules = {
  ...repoRules,
  ...namespaceRules,
  ...collectionRules,
  ...accountRules,
  ...openRules,
} as const

export type AccessAction = keyof typeof accessRules
export type RepoAction = keyof typeof repoRules
export type NamespaceAction = keyof typeof namespaceRules
export type CollectionAction = keyof typeof collectionRules
export type AccountAction = keyof typeof accountRules

/** Checks whether an action is one of {@link openRules}. */
export function isOpen(action: AccessAction): action is keyof typeof openRules {
  return Object.hasOwn(openRules, action)
}
