import { endOfMonth, isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import type { BillingMode, Plan, Role } from '../../contract/words/account-words.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { AccessToken, FineGrained } from '../../store/entities/oauth-entities.ts'
import {
  avatarAddress,
  billingMode,
  type BlockedMembership,
  hasScope,
  membership,
  paidPlan,
  seesBilling,
} from './account-facts.ts'
import type { Principal } from './principal.ts'
import { type VisibleOrganization, visibleOrganizations } from './visible-organizations.ts'
import type { CredentialKind, TokenRole } from '../../contract/words/oauth-words.ts'

type WhoamiDeps = Pick<Deps, 'clock' | 'state'>

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
  fullname?: string
  avatarUrl?: string
  isPro: boolean
  email?: string
  emailVerified?: boolean
  canPay?: boolean
  billingMode?: BillingMode
  /** Unix seconds. */
  periodEnd?: number | null
  orgs: WhoamiOrganization[]
  auth: {
    type: CredentialKind
    accessToken?: {
      displayName: string
      role: TokenRole
      createdAt: string
      fineGrained?: FineGrained
    }
    expiresAt?: string
    resource?: { sub: string }
  }
}

/**
 * Returns the response of `GET /api/whoami-v2` for any kind of token and for a session.
 * @param principal not anonymous: the route refuses that with 401
 */
export function buildWhoami(
  deps: WhoamiDeps,
  principal: Exclude<Principal, { kind: 'anonymous' }>,
): Whoami {
  const { user } = principal
  const token = principal.kind === 'token' ? principal.token : undefined
  const billing = seesBilling(token)
  return {
    type: 'user',
    id: user.id,
    name: user.username,
    ...(hasScope(token, 'profile') ? describeProfile(user) : {}),
    isPro: user.isPro,
    ...(hasScope(token, 'email') ? { email: user.email, emailVerified: user.emailVerified } : {}),
    ...(billing ? whoamiBilling(deps, user) : {}),
    orgs: visibleOrganizations(deps, principal).map((visible) =>
      describeForWhoami(deps, visible, billing),
    ),
    auth: describeAuth(token),
  }
}

/** Name and picture; userinfo has them with the scope `profile` as well. */
function describeProfile({ username, fullname, avatarUrl }: User) {
  return {
    ...(fullname === '' ? {} : { fullname }),
    avatarUrl: avatarAddress(username, avatarUrl),
  }
}

function describeForWhoami(
  deps: WhoamiDeps,
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
    ...(billing && granted ? whoamiBilling(deps, organization) : {}),
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

function describeAuth(token: AccessToken | undefined): Whoami['auth'] {
  if (token === undefined) return { type: 'session' }
  const expiresAt = token.expiresAt === undefined ? {} : { expiresAt: isoTime(token.expiresAt) }
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
      createdAt: isoTime(token.createdAt),
      ...omitUndefined({ fineGrained: token.fineGrained }),
    },
    ...expiresAt,
  }
}

/** Bills are monthly: the period of an account that pays ends with the calendar month, in UTC. */
function whoamiBilling({ clock }: WhoamiDeps, account: User | Organization) {
  const { canPay } = account
  const periodEnd = canPay ? endOfMonth(clock.now()) / 1000 : null
  return { canPay, billingMode: billingMode(account), periodEnd }
}
