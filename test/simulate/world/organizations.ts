import type { Standing } from './facts.ts'
import type { UserName } from './fixtures.ts'

/** Roles, each with the rights of those before it; a contributor writes to what they have created. */
export const roles = ['no_access', 'read', 'contributor', 'write', 'admin'] as const
export type OwnRole = (typeof roles)[number]
export type Roles = Map<UserName, OwnRole>

export interface Group {
  readonly id: string
  readonly name: string
  readonly roles: Roles
}

/** Repo of an organization. */
export interface OwnRepo {
  /** Name without that of the organization. */
  name: string
  isPrivate: boolean
  gated: false | 'auto' | 'manual'
  group: Group | undefined
  readonly creator: UserName
  /** Requests for access by user. */
  readonly requests: Map<UserName, 'pending' | 'accepted' | 'rejected'>
}

/** Token of a user, with less than all of the rights of the user. */
export interface OwnToken {
  readonly token: string
  readonly user: UserName
  /** Only reading; or only this repo, or the whole organization, with a permission. */
  readonly only: 'reading' | OwnRepo | 'organization'
  readonly permission: 'repo.content.read' | 'repo.write'
}

/** Who sends a request. */
export interface Caller {
  /** Absent for somebody without a token. */
  readonly user?: UserName
  readonly token?: string
  /** Absent for a token with all rights of the user. */
  readonly limit?: OwnToken
}

/** What clients know of an organization that they have created; one change at a time. */
export class Organization {
  readonly id: string
  name: string
  standing: Standing = 'live'
  roles: Roles
  groups: Group[]
  repos: OwnRepo[] = []
  tokens: OwnToken[] = []
  /** Former names, by which its repos are found. */
  readonly former = new Map<string, OwnRepo>()
  /** Token of a member for the organization, without the member's consent. */
  exchanged: string | undefined
  /** Increased before and after each change. */
  changes = 0
  isChanging = false
  changedAt: number

  constructor(about: Pick<Organization, 'id' | 'name' | 'roles' | 'groups' | 'changedAt'>) {
    this.id = about.id
    this.name = about.name
    this.roles = about.roles
    this.groups = about.groups
    this.changedAt = about.changedAt
  }

  /** @param repo such as `models/acme/x` */
  pathOf({ name }: OwnRepo): string {
    return `models/${this.name}/${name}`
  }
}

const includes = (role: OwnRole, needed: OwnRole) => roles.indexOf(role) >= roles.indexOf(needed)

/** Role of a user on a repo: that in its group, if it is in one, except of administrators. */
function roleOn({ roles: all }: Organization, repo: OwnRepo, user: UserName | undefined): OwnRole {
  const role = user === undefined ? undefined : all.get(user)
  if (user === undefined || role === undefined) return 'no_access'
  const found =
    repo.group === undefined || role === 'admin'
      ? role
      : (repo.group.roles.get(user) ?? 'no_access')
  return found === 'contributor' && repo.creator === user ? 'write' : found
}

/** Whether a token has one of two permissions for a repo. */
function permits(limit: OwnToken | undefined, repo: OwnRepo, needed: OwnToken['permission']) {
  if (limit === undefined || limit.only === 'reading') return true
  const isNamed = limit.only === 'organization' || limit.only === repo
  return isNamed && (needed === 'repo.content.read' || limit.permission === needed)
}

export type Deed = 'see' | 'download' | 'write' | 'ask'

/** What the rules say: whether somebody may do something with a repo. */
export function may(
  organization: Organization,
  repo: OwnRepo,
  { user, limit }: Caller,
  deed: Deed,
): boolean {
  const role = roleOn(organization, repo, user)
  const isInside = includes(role, 'read') && permits(limit, repo, 'repo.content.read')
  if (repo.isPrivate && !isInside) return false
  if (deed === 'see') return true
  if (deed === 'write') {
    return (
      includes(role, 'write') && limit?.only !== 'reading' && permits(limit, repo, 'repo.write')
    )
  }
  if (deed === 'ask') return user !== undefined && limit === undefined && repo.gated !== false
  if (repo.gated === false) return true
  const isAccepted = user !== undefined && repo.requests.get(user) === 'accepted'
  return (isInside || isAccepted) && user !== undefined && permits(limit, repo, 'repo.content.read')
}

/** Whether somebody may change members, groups and repos' groups. */
export const mayManage = ({ roles: all }: Organization, { user, limit }: Caller): boolean =>
  user !== undefined && all.get(user) === 'admin' && limit === undefined

/** Whether somebody may create a repo in a group, or in none. */
export function mayCreate(
  { roles: all }: Organization,
  group: Group | undefined,
  { user, limit }: Caller,
): boolean {
  const role = (user !== undefined && all.get(user)) || 'no_access'
  const found =
    group === undefined || role === 'admin' || user === undefined
      ? role
      : all.has(user)
        ? (group.roles.get(user) ?? 'no_access')
        : 'no_access'
  const isAllowed =
    limit === undefined || (limit.only === 'organization' && limit.permission === 'repo.write')
  return includes(found, 'contributor') && isAllowed
}
