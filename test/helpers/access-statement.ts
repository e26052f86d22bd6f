// A statement of the access rules, written from the specification (5.4, 5.5) and the notes on its routes alone. Nothing
// here is imported from the product, so that a mistake in the product's table is not repeated here.

export type Role = 'none' | 'read' | 'contributor' | 'write' | 'admin'
const ranks: readonly Role[] = ['none', 'read', 'contributor', 'write', 'admin']

export interface Caller {
  readonly name: string
  /** Absent: no user. */
  readonly user?: string
  readonly credential:
    | 'none'
    | 'session'
    | 'read'
    | 'write'
    | 'fine-grained'
    | 'app'
    | 'exchange'
    | 'publisher of a repo'
    | 'publisher of a user'
  /** Repo of a trusted publisher. */
  readonly repo?: string
  /** Scopes of `app` and `exchange`. */
  readonly scopes?: readonly string[]
  /** Owners on which a fine-grained token has its permission. */
  readonly owners?: readonly string[]
  /** Repos on which it has its permission, as {@link Target.name}. */
  readonly repos?: readonly string[]
  readonly permission?: string
  /** Whether the permission is a global one, which is for public targets. */
  readonly global?: boolean
}

export interface Target {
  readonly owner: string
  readonly name?: string
  readonly isPrivate?: boolean
  readonly gated?: boolean
  /** In a resource group. */
  readonly grouped?: boolean
  /** Created by the app whose tokens are tried. */
  readonly ofApp?: boolean
  readonly isCollection?: boolean
  readonly isBucket?: boolean
  /** Author of the discussion and the comment. */
  readonly author?: string
}

/** `hidden`: the answer for a target that does not exist. `gated`: only files are closed. */
export type Verdict = 'ok' | 'no user' | 'forbidden' | 'hidden' | 'gated'

/** Organizations that users of the tests granted to the app; a token exchange is bound to the same one. */
export const granted = 'acme'

/** The scopes that include another one. */
const wider: Readonly<Record<string, readonly string[]>> = {
  'read-repos': ['write-repos', 'manage-repos'],
  'write-repos': ['manage-repos'],
  'read-collections': ['write-collections'],
  'read-endpoints': ['write-endpoints'],
}

const roles: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  acme: { alice: 'admin', bob: 'write', peggy: 'contributor', mallory: 'read' },
  labs: { bob: 'read' },
}
/** Roles in the resource group of acme. */
const groupRoles: Readonly<Record<string, Role>> = { gina: 'write' }
/** Users whose access request to each gated repo was accepted. */
const accepted: readonly string[] = ['bob']

interface Rule {
  readonly role: Role
  /** Whether the author of the target needs no more than to read. */
  readonly author?: 'enough' | 'only'
  /** Needed scopes; `undefined`: no app may. */
  readonly scopes?: readonly string[]
  readonly privateScopes?: readonly string[]
  readonly foreignScopes?: readonly string[]
  /** Whether it is open to the trusted publisher of the repo, which writes files and nothing else. */
  readonly publishes?: boolean
  /** Whether `contribute-repos` opens it on repos of the app. */
  readonly contributes?: boolean
  readonly permissions: readonly string[]
  readonly reads?: boolean
  readonly files?: boolean
  /** Whether reading is for members only. */
  readonly members?: boolean
  /** Whether the target is the account of the caller. */
  readonly self?: boolean
}

const reading = {
  role: 'read',
  scopes: [],
  privateScopes: ['read-repos'],
  contributes: true,
  publishes: true,
  permissions: ['repo.content.read', 'repo.write'],
  reads: true,
} as const
/** Discussions are open without a scope for repos, private ones too; only a pull request needs both. */
const talking = {
  role: 'read',
  scopes: ['write-discussions'],
  permissions: ['discussion.write'],
} as const
const proposing = { ...talking, privateScopes: ['read-repos'] } as const
const maintaining = {
  role: 'write',
  scopes: ['write-discussions', 'write-repos'],
  permissions: ['repo.write'],
} as const
const managing = { role: 'write', scopes: ['manage-repos'], permissions: ['repo.write'] } as const

export const rules = {
  'read a repo': reading,
  'read files': { ...reading, files: true },
  'write to a repo': {
    role: 'write',
    scopes: ['write-repos'],
    contributes: true,
    publishes: true,
    permissions: ['repo.write'],
  },
  'delete a repo': managing,
  'change settings': managing,
  'rename a repo': managing,
  'decide on access': managing,
  'open a discussion': talking,
  comment: talking,
  react: talking,
  'open a pull request': proposing,
  'change a discussion': { ...talking, role: 'write', author: 'enough' },
  'hide a comment': { ...talking, role: 'write', author: 'enough', foreignScopes: ['write-repos'] },
  'edit a comment': { ...talking, author: 'only' },
  'commit as a pull request': {
    ...proposing,
    scopes: ['write-discussions|write-repos'],
    contributes: true,
    publishes: true,
    permissions: ['discussion.write', 'repo.write'],
  },
  pin: maintaining,
  'delete a discussion': maintaining,
  merge: maintaining,
  'delete the ref': maintaining,
  'create a repo': {
    role: 'contributor',
    scopes: ['contribute-repos|manage-repos'],
    permissions: ['repo.write'],
  },
  'create a collection': {
    role: 'write',
    scopes: ['write-collections'],
    permissions: ['collection.write'],
  },
  'read a collection': {
    role: 'read',
    scopes: [],
    privateScopes: ['read-collections'],
    permissions: ['collection.read', 'collection.write'],
    reads: true,
  },
  'change a collection': {
    role: 'write',
    scopes: ['write-collections'],
    permissions: ['collection.write'],
  },
  'run jobs': { role: 'write', scopes: ['jobs'], permissions: ['job.write'] },
  'call a model': {
    role: 'read',
    members: true,
    scopes: ['inference-api'],
    permissions: ['inference.serverless.write'],
    reads: true,
  },
  'read endpoints': {
    role: 'read',
    members: true,
    scopes: ['read-endpoints'],
    permissions: ['inference.endpoints.infer.write', 'inference.endpoints.write'],
    reads: true,
  },
  'manage endpoints': {
    role: 'write',
    scopes: ['write-endpoints'],
    permissions: ['inference.endpoints.write'],
  },
  'list groups': {
    role: 'read',
    members: true,
    scopes: ['read-memberships'],
    permissions: ['org.read', 'org.write'],
    reads: true,
  },
  'list the repos of an organization': {
    role: 'read',
    members: true,
    scopes: ['read-repos'],
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  'read the audit log': { role: 'admin', permissions: ['org.read', 'org.write'], reads: true },
  'manage an organization': { role: 'admin', permissions: ['org.write'] },
  'manage webhooks': {
    role: 'admin',
    self: true,
    scopes: ['webhooks'],
    permissions: ['user.webhooks.write'],
  },
  'read quotas': {
    role: 'admin',
    self: true,
    scopes: ['read-billing'],
    permissions: ['user.billing.read'],
    reads: true,
  },
  'list own repos': {
    role: 'admin',
    self: true,
    scopes: ['read-repos'],
    permissions: ['repo.content.read', 'repo.write'],
    reads: true,
  },
  'change the account': { role: 'admin', self: true, permissions: ['user.write'] },
} as const satisfies Record<string, Rule>

export type Act = keyof typeof rules

/** Says what the rules answer to a caller. */
export function stated(caller: Caller, act: Act, place: Target): Verdict {
  const rule: Rule = rules[act]
  const target = rule.self === true ? { owner: caller.user ?? '' } : place
  const { user, credential } = caller
  if (user === undefined) {
    // Without a user, a change is refused before its target is looked for.
    if (target.isPrivate === true && rule.reads === true) return 'hidden'
    if (rule.reads !== true || rule.members === true || rule.role !== 'read') return 'no user'
    return rule.files === true && target.gated === true ? 'gated' : 'ok'
  }
  if (credential === 'publisher of a repo' && caller.repo === target.name) {
    return rule.publishes === true ? 'ok' : 'forbidden'
  }
  const role = roleOf(user, target)
  const reached = isReached(caller, target)
  if (target.isPrivate === true && (role === 'none' || !reached)) return 'hidden'

  const isAuthor = target.author === user
  if (rule.author === 'only' && !isAuthor) return 'forbidden'
  const needed = rule.author !== undefined && isAuthor ? 'read' : rule.role
  const isPublicRight = needed === 'read' && rule.members !== true
  if (!isPublicRight && ranks.indexOf(role) < ranks.indexOf(needed)) return 'forbidden'

  const permitted = isPermitted(caller, rule, target, { isAuthor, isPublicRight, reached })
  if (permitted !== 'ok') return permitted
  return rule.files === true && target.gated === true ? stateGate(caller, role, target) : 'ok'

  function isPermitted(
    { scopes = scopesOf(credential) }: Caller,
    { reads = false }: Rule,
    { isPrivate = false }: Target,
    facts: { isAuthor: boolean; isPublicRight: boolean; reached: boolean },
  ): Verdict {
    if (credential === 'session' || credential === 'write') return 'ok'
    // Everybody reads what is public, whatever the token.
    if (reads && !isPrivate && facts.isPublicRight && rule.scopes?.length === 0) return 'ok'
    if (credential === 'read') return reads ? 'ok' : 'forbidden'
    if (credential === 'fine-grained') {
      if (hasPermission(caller, rule, target)) return 'ok'
      return reads && isPrivate ? 'hidden' : 'forbidden'
    }
    if (!facts.reached && (credential === 'exchange' || !facts.isPublicRight)) return 'forbidden'
    if (rule.scopes === undefined) return 'forbidden'
    const contributes = rule.contributes === true && target.ofApp === true
    if (contributes && scopes.includes('contribute-repos')) return 'ok'
    const needs = [
      ...rule.scopes,
      ...(isPrivate ? (rule.privateScopes ?? []) : []),
      ...(facts.isAuthor ? [] : (rule.foreignScopes ?? [])),
    ]
    if (needs.every((need) => includesScope(scopes, need))) return 'ok'
    return reads && isPrivate && credential !== 'exchange' ? 'hidden' : 'forbidden'
  }
}

function stateGate(caller: Caller, role: Role, target: Target): Verdict {
  const { user = '', credential, scopes = scopesOf(credential) } = caller
  const isMember = role !== 'none' && isReached(caller, target)
  if (!isMember && !accepted.includes(user)) return 'gated'
  if (credential === 'fine-grained') {
    return hasPermission(caller, rules['read files'], target) ? 'ok' : 'gated'
  }
  if (['session', 'read', 'write'].includes(credential)) return 'ok'
  const contributes = target.ofApp === true && scopes.includes('contribute-repos')
  // The scopes for repos are for those of the user and of granted organizations.
  const needed = isMember ? 'gated-repos|read-repos' : 'gated-repos'
  return contributes || includesScope(scopes, needed) ? 'ok' : 'gated'
}

/** A trusted publisher of a user reads what is gated; one of a repo has no scopes. */
function scopesOf(credential: Caller['credential']): readonly string[] {
  return credential === 'publisher of a user' ? ['gated-repos'] : []
}

function roleOf(user: string, { owner, grouped }: Target): Role {
  if (owner === user) return 'admin'
  const role = roles[owner]?.[user] ?? 'none'
  return grouped === true && role !== 'admin' ? (groupRoles[user] ?? 'none') : role
}

/** Whether a token reaches more than what is public of an owner. */
function isReached(caller: Caller, target: Target): boolean {
  const { credential, user, global } = caller
  const { owner } = target
  if (credential === 'exchange') return owner === granted
  if (credential === 'publisher of a repo') return false
  if (credential === 'app') return owner === user || owner === granted
  if (credential === 'fine-grained') return global !== true && isNamed(caller, target)
  return true
}

/** Whether a fine-grained token names a target or its owner. */
function isNamed({ owners = [], repos = [] }: Caller, { owner, name }: Target): boolean {
  return owners.includes(owner) || (name !== undefined && repos.includes(name))
}

function hasPermission(
  caller: Caller,
  { permissions }: Pick<Rule, 'permissions'>,
  target: Target,
): boolean {
  const { permission = '', global } = caller
  if (!permissions.includes(permission)) return false
  return global === true ? target.isPrivate !== true : isNamed(caller, target)
}

/** @param need scopes of which one is enough, separated by `|` */
function includesScope(scopes: readonly string[], need: string): boolean {
  return need
    .split('|')
    .some((one) => [one, ...(wider[one] ?? [])].some((scope) => scopes.includes(scope)))
}
