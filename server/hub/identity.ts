import type { Deps } from '../events/deps.ts'
import { OAuthError } from '../oauth/errors.ts'
import type { Principal } from '../oauth/principal.ts'
import type {
  Organization,
  Plan,
  Role,
  SecurityRestriction,
  User,
} from '../state/entities/accounts.ts'
import type { AccessToken, FineGrained } from '../state/entities/oauth.ts'
import { type VisibleOrganization, visibleOrganizations } from './visible-organizations.ts'

type IdentityDeps = Pick<Deps, 'settings' | 'clock' | 'state'>
export type BillingMode = 'prepaid' | 'postpaid'

interface BlockedMembership {
  securityRestrictions?: SecurityRestriction[]
  /** Older words for the restrictions `sso` and `mfa`, still sent. */
  pendingSSO?: boolean
  missingMFA?: boolean
}

export interface WhoamiOrganization extends BlockedMembership {
  type: 'org'
  id: string
  name: string
  fullname: string
  avatarUrl: string
  plan?: Plan
  canPay?: boolean
  billingMode?: BillingMode
  periodEnd?: number | null
  roleInOrg?: Role
  resourceGroups?: { id: string; name: string; role: Role }[]
}

export interface Whoami {
  type: 'user'
  id: string
  name: string
  fullname: string
  avatarUrl: string
  isPro: boolean
  email?: string
  emailVerified?: boolean
  canPay?: boolean
  billingMode?: BillingMode
  /** Unix seconds. */
  periodEnd?: number | null
  orgs: WhoamiOrganization[]
  auth: {
    type: 'access_token' | 'oauth' | 'session'
    accessToken?: {
      displayName: string
      role: 'read' | 'write' | 'fineGrained'
      createdAt: string
      fineGrained?: FineGrained
    }
    expiresAt?: string
    resource?: { sub: string }
  }
}

export interface UserinfoOrganization extends BlockedMembership {
  sub: string
  name: string
  preferred_username: string
  picture: string
  plan?: Plan
  canPay?: boolean
  billingMode?: BillingMode
  roleInOrg?: Role
  resourceGroups?: { sub: string; name: string; role: Role }[]
}

/** Claims that the ID token and the userinfo answer share. */
export interface IdentityClaims {
  sub: string
  name?: string
  preferred_username?: string
  profile?: string
  picture?: string
  website?: string
  email?: string
  email_verified?: boolean
}

export interface Userinfo extends IdentityClaims {
  isPro: boolean
  canPay?: boolean
  billingMode?: BillingMode
  /** What the live hub calls the list; its documentation says `organizations`. Both are sent. */
  orgs: UserinfoOrganization[]
  organizations: UserinfoOrganization[]
}

/**
 * The answer of `GET /api/whoami-v2` for any kind of token and for a session.
 * @param principal not anonymous: the route refuses that with 401
 */
export function buildWhoami(
  deps: IdentityDeps,
  principal: Exclude<Principal, { kind: 'anonymous' }>,
): Whoami {
  const { user } = principal
  const token = principal.kind === 'token' ? principal.token : undefined
  const billing = seesBilling(token)
  return {
    type: 'user',
    id: user.id,
    name: user.username,
    fullname: user.fullname,
    avatarUrl: avatarAddress(user.username, user.avatarUrl),
    isPro: user.isPro,
    ...(hasScope(token, 'email') ? { email: user.email, emailVerified: user.emailVerified } : {}),
    ...(billing ? whoamiBilling(deps, user.canPay) : {}),
    orgs: visibleOrganizations(deps, principal).map((visible) =>
      describeForWhoami(deps, visible, billing),
    ),
    auth: describeAuth(token),
  }
}

/**
 * The answer of the userinfo endpoint.
 * @param token an OAuth access token; `openid` is not asked for
 * @throws {OAuthError} `invalid_token` for a user access token, or when its user is gone
 * @see OpenID Connect Core §5.3
 */
export function buildUserinfo(deps: IdentityDeps, token: AccessToken): Userinfo {
  if (token.kind === 'user') {
    throw new OAuthError('invalid_token', 'Only OAuth access tokens are accepted here.', {
      detail: 'this is a user access token; userinfo answers tokens that an app obtained',
    })
  }
  const user = deps.state.users.get(token.userId)
  if (user === undefined) {
    throw new OAuthError('invalid_token', 'The access token is invalid.', {
      detail: 'the user of the token no longer exists',
    })
  }
  const billing = seesBilling(token)
  const orgs = visibleOrganizations(deps, { kind: 'token', user, token }).map((visible) =>
    describeForUserinfo(deps, visible, billing),
  )
  return {
    ...buildIdentityClaims(deps, user, token.scopes),
    isPro: user.isPro,
    ...(billing ? { canPay: user.canPay, billingMode: billingMode(user.canPay) } : {}),
    orgs,
    organizations: orgs,
  }
}

/**
 * The claims about the user that an ID token carries. `isPro`, `canPay` and the organizations are
 * in the userinfo answer only.
 * @see OpenID Connect Core §5.1, §5.4
 */
export function buildIdentityClaims(
  deps: Pick<Deps, 'settings'>,
  user: User,
  scopes: readonly string[],
): IdentityClaims {
  return {
    sub: user.id,
    ...(scopes.includes('profile')
      ? {
          name: user.fullname,
          preferred_username: user.username,
          profile: `${deps.settings.baseUrl}/${user.username}`,
          picture: avatarUrl(deps, user.username, user.avatarUrl),
          ...(user.website === undefined ? {} : { website: user.website }),
        }
      : {}),
    ...(scopes.includes('email') ? { email: user.email, email_verified: user.emailVerified } : {}),
  }
}

/** The picture as whoami-v2 tells it: a path of the hub, or the account's own address elsewhere. */
function avatarAddress(name: string, own: string | undefined): string {
  return own ?? `/avatars/${encodeURIComponent(name)}.svg`
}

/** Absolute URL of an avatar: the account's own, or the one generated from its name. */
export function avatarUrl(
  { settings }: Pick<Deps, 'settings'>,
  name: string,
  own: string | undefined,
): string {
  const address = avatarAddress(name, own)
  return address.startsWith('/') ? settings.baseUrl + address : address
}

function describeForWhoami(
  deps: IdentityDeps,
  visible: VisibleOrganization,
  billing: boolean,
): WhoamiOrganization {
  const { organization, granted, resourceGroups } = visible
  return {
    type: 'org',
    id: organization.id,
    name: organization.name,
    fullname: organization.fullname,
    avatarUrl: avatarAddress(organization.name, organization.avatarUrl),
    ...paidPlan(organization),
    ...(billing && granted ? whoamiBilling(deps, organization.canPay) : {}),
    ...membership(visible),
    ...(granted
      ? {
          resourceGroups: resourceGroups.map(({ group: { id, name }, role }) => ({
            id,
            name,
            role,
          })),
        }
      : {}),
  }
}

function describeForUserinfo(
  deps: IdentityDeps,
  visible: VisibleOrganization,
  billing: boolean,
): UserinfoOrganization {
  const { organization, granted, resourceGroups } = visible
  const { canPay } = organization
  return {
    sub: organization.id,
    name: organization.fullname,
    preferred_username: organization.name,
    picture: avatarUrl(deps, organization.name, organization.avatarUrl),
    ...paidPlan(organization),
    ...(billing && granted ? { canPay, billingMode: billingMode(canPay) } : {}),
    ...membership(visible),
    ...(granted
      ? {
          resourceGroups: resourceGroups.map(({ group: { id, name }, role }) => ({
            sub: id,
            name,
            role,
          })),
        }
      : {}),
  }
}

function membership({ role, restrictions }: VisibleOrganization) {
  return {
    ...(role === undefined ? {} : { roleInOrg: role }),
    ...(restrictions.length === 0 ? {} : { securityRestrictions: [...restrictions] }),
    ...(restrictions.includes('sso') ? { pendingSSO: true } : {}),
    ...(restrictions.includes('mfa') ? { missingMFA: true } : {}),
  }
}

function describeAuth(token: AccessToken | undefined): Whoami['auth'] {
  if (token === undefined) return { type: 'session' }
  const expiresAt =
    token.expiresAt === undefined ? {} : { expiresAt: new Date(token.expiresAt).toISOString() }
  if (token.kind === 'oauth') {
    const bound = token.boundOrganizationId
    return {
      type: 'oauth',
      ...expiresAt,
      ...(bound === undefined ? {} : { resource: { sub: bound } }),
    }
  }
  return {
    type: 'access_token',
    accessToken: {
      displayName: token.name ?? 'token',
      role: token.role ?? 'read',
      createdAt: new Date(token.createdAt).toISOString(),
      ...(token.fineGrained === undefined ? {} : { fineGrained: token.fineGrained }),
    },
    ...expiresAt,
  }
}

/** Scopes bind OAuth tokens only. */
function hasScope(token: AccessToken | undefined, scope: string): boolean {
  return token?.kind !== 'oauth' || token.scopes.includes(scope)
}

function seesBilling(token: AccessToken | undefined): boolean {
  if (token?.role !== 'fineGrained') return hasScope(token, 'read-billing')
  return (token.fineGrained?.scoped ?? []).some(({ permissions }) =>
    permissions.includes('user.billing.read'),
  )
}

function billingMode(canPay: boolean): BillingMode {
  return canPay ? 'postpaid' : 'prepaid'
}

/** Bills are monthly: the period of an account that pays ends with the calendar month, in UTC. */
function whoamiBilling({ clock }: IdentityDeps, canPay: boolean) {
  const now = new Date(clock.now())
  const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000
  return { canPay, billingMode: billingMode(canPay), periodEnd: canPay ? monthEnd : null }
}

function paidPlan({ plan }: Organization): { plan?: Plan } {
  return plan === 'free' ? {} : { plan }
}
