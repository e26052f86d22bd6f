import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import {
  avatarUrl,
  billingMode,
  type BlockedMembership,
  membership,
  paidPlan,
  seesBilling,
} from '../access/account-facts.ts'
import { type VisibleOrganization, visibleOrganizations } from '../access/visible-organizations.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { BillingMode, Plan, Role } from '../../contract/words/account-words.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import { Refusal } from '../../core/refusal.ts'
import { readForm } from './forms.ts'
import { identifyBearer } from './identify.ts'

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

/** Claims that the ID token and the userinfo response share. */
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
  /** Name of the list on the live Hub; its documentation says `organizations`. Both are sent. */
  orgs: UserinfoOrganization[]
  organizations: UserinfoOrganization[]
}

/**
 * Handles a userinfo request.
 * @param request `authorization` is the value of the header; a form may contain the token instead
 * @throws {Refusal} `invalid_request` when the token comes twice; `invalid_token`
 * @see OpenID Connect Core §5.3, RFC 6750 §2
 */
export function requestUserinfo(
  deps: Pick<Deps, 'settings' | 'state' | 'clock'>,
  { authorization, body }: { authorization?: string; body: unknown },
): Userinfo {
  const bearer = readBearer(authorization, body)
  return buildUserinfo(deps, identifyToken(deps, bearer))
}

/** Reads the token from the header or from a form, but not both (RFC 6750 §2.2). */
function readBearer(authorization: string | undefined, body: unknown): string | undefined {
  const token = body instanceof URLSearchParams ? readForm(body)['access_token'] : undefined
  if (token === undefined) return authorization
  if (authorization !== undefined) {
    throw new Refusal('invalid_request', 'Send the access token once: in the header or the form.')
  }
  return `Bearer ${token}`
}

function identifyToken(
  deps: Pick<Deps, 'state' | 'clock'>,
  bearer: string | undefined,
): AccessToken {
  const principal = identifyBearer(deps, bearer)
  if (principal.kind === 'token') return principal.token
  throw new Refusal('invalid_token', 'Send an access token: Authorization: Bearer <token>.')
}

/**
 * Builds the userinfo response.
 * @param token an OAuth access token; the scope `openid` is not required
 * @throws {Refusal} `invalid_token` for a user access token, or when its user was deleted
 * @see OpenID Connect Core §5.3
 */
export function buildUserinfo(
  deps: Pick<Deps, 'settings' | 'state'>,
  token: AccessToken,
): Userinfo {
  if (token.kind === 'user') {
    throw new Refusal('invalid_token', 'Only OAuth access tokens are accepted here.', {
      detail:
        'this is a user access token; userinfo requires a token that an app obtained by OAuth',
    })
  }
  const user = deps.state.users.get(token.userId)
  if (user === undefined) {
    throw new Refusal('invalid_token', 'The access token is invalid.', {
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
    ...(billing ? { canPay: user.canPay, billingMode: billingMode(user) } : {}),
    orgs,
    organizations: orgs,
  }
}

/**
 * Builds the claims about the user for an ID token. `isPro`, `canPay` and the organizations are only in the userinfo
 * response.
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
          // A claim without a value is left out (OpenID Connect Core §5.3.2).
          ...(user.fullname === '' ? {} : { name: user.fullname }),
          preferred_username: user.username,
          profile: `${deps.settings.baseUrl}/${user.username}`,
          picture: avatarUrl(deps.settings.baseUrl, user.username, user.avatarUrl),
          ...omitUndefined({ website: user.website }),
        }
      : {}),
    ...(scopes.includes('email') ? { email: user.email, email_verified: user.emailVerified } : {}),
  }
}

function describeForUserinfo(
  deps: Pick<Deps, 'settings'>,
  visible: VisibleOrganization,
  billing: boolean,
): UserinfoOrganization {
  const { organization, granted, resourceGroups } = visible
  return {
    sub: organization.id,
    name: organization.fullname,
    preferred_username: organization.name,
    picture: avatarUrl(deps.settings.baseUrl, organization.name, organization.avatarUrl),
    ...paidPlan(organization),
    ...(billing && granted
      ? { canPay: organization.canPay, billingMode: billingMode(organization) }
      : {}),
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
