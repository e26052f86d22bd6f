import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { SecurityRestriction } from '../../contract/words/account-words.ts'
import { userDenials } from '../../contract/words/oauth-words.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { requiredOrganizationIds } from '../../store/required-organizations.ts'
import { nameKey } from '../../store/state.ts'
import {
  answerLocation,
  AuthorizationError,
  type AuthorizationRequest,
} from './authorization-request.ts'
import { type ConsentSubject, findConsent, rememberConsent } from './consents.ts'

/** User signed in in the browser. */
export interface SignedIn {
  user: User
  /** Time of the sign-in, milliseconds since 1970. */
  authTime: number
}

export type AuthorizationStep =
  | { kind: 'login' }
  | { kind: 'consent'; signedIn: SignedIn; organizations: OrganizationChoice[] }
  | { kind: 'redirect'; location: string }

/** Decision of the user on the consent page. */
export interface ApprovalResponse {
  /** Selected organizations; default: those preselected on the page. */
  organizationIds?: readonly string[]
  /** Whether the user saw the page: then unselected organizations are withdrawn. */
  onPage?: boolean
}

export interface AuthorizationCircumstances {
  /** Whether the user has just signed in for this request, so that `prompt=login` does not ask again. Default false. */
  justSignedIn?: boolean
  /** Whether `--auto-approve` applies: not to background requests of a page. Default true. */
  mayAutoApprove?: boolean
  /** Whether a frame of another site sent the request, where no user is signed in. Default false. */
  isForeignFrame?: boolean
}

/** Organization of the user on the consent page. */
export interface OrganizationChoice {
  organization: Organization
  selected: boolean
  /** Restrictions that currently deny the user access to it. */
  restrictions: SecurityRestriction[]
}

/**
 * Returns the next step of a validated request: sign in, ask for consent, or redirect with a code when the user has
 * allowed the same app the same scopes before.
 * @throws {AuthorizationError} `login_required`, `consent_required` for `prompt=none`; `access_denied` when this
 *   user cannot authorize the app
 * @see RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.3
 */
export function nextAuthorizationStep(
  deps: Deps,
  request: AuthorizationRequest,
  signedIn: SignedIn | undefined,
  {
    justSignedIn = false,
    mayAutoApprove = true,
    isForeignFrame = false,
  }: AuthorizationCircumstances = {},
): AuthorizationStep {
  const approver = mayAutoApprove ? autoApprover(deps) : undefined
  // Another user than the one of id_token_hint cannot answer, and has to sign in as that user.
  if (approver !== undefined && !isOtherUser(request, approver)) {
    const auto = { user: approver, authTime: deps.clock.now() }
    return { kind: 'redirect', location: approveAuthorization(deps, request, auto) }
  }
  if (request.subject !== undefined && !deps.state.users.has(request.subject)) {
    refuse(request, 'login_required', 'The user of id_token_hint no longer exists.')
  }
  if (signedIn === undefined) {
    return askToSignIn(request, 'No user is signed in.', isForeignFrame ? foreignFrame : undefined)
  }
  const reason = reasonToSignInAgain(deps, request, signedIn, justSignedIn)
  if (reason !== undefined) return askToSignIn(request, reason)
  checkUserMayAuthorize(deps, request, signedIn.user)

  const consent = findConsent(deps, consentSubject(request, signedIn.user))
  const consented =
    consent !== undefined &&
    ownOrganizationIds(deps, signedIn.user, request.organizationIds).every((id) =>
      consent.organizationIds.includes(id),
    )
  if (consented && !request.prompt.has('consent')) {
    return { kind: 'redirect', location: approveAuthorization(deps, request, signedIn) }
  }
  if (request.prompt.has('none')) {
    refuse(request, 'consent_required', 'The user has not allowed this app these scopes yet.')
  }
  return {
    kind: 'consent',
    signedIn,
    organizations: offeredOrganizations(deps, request, signedIn.user),
  }
}

function askToSignIn(
  request: AuthorizationRequest,
  reason: string,
  detail?: string,
): AuthorizationStep {
  if (request.prompt.has('none')) refuse(request, 'login_required', reason, detail)
  return { kind: 'login' }
}

const foreignFrame =
  "the request came from a frame of another site, to which browsers do not send the Hub's session cookie (SameSite=Lax): open the sign-in in the window"

function reasonToSignInAgain(
  deps: Pick<Deps, 'clock'>,
  request: AuthorizationRequest,
  signedIn: SignedIn,
  justSignedIn: boolean,
): string | undefined {
  if (isOtherUser(request, signedIn.user)) return otherUser
  if (justSignedIn) return undefined
  if (request.prompt.has('login')) return 'The client requires the user to sign in again.'
  const { maxAge } = request
  if (maxAge === undefined) return undefined
  // 0 is the same as prompt=login, also under a frozen clock.
  const isTooLongAgo = maxAge === 0 || deps.clock.now() - signedIn.authTime > maxAge * 1000
  return isTooLongAgo ? 'The last sign-in of the user is older than max_age allows.' : undefined
}

const otherUser = 'The user is not the one of id_token_hint.'

function isOtherUser({ subject }: AuthorizationRequest, user: User): boolean {
  return subject !== undefined && subject !== user.id
}

function consentSubject({ app, scopes }: AuthorizationRequest, user: User): ConsentSubject {
  return { userId: user.id, clientId: app.id, scopes }
}

/** Returns the user's organizations for the consent page; requested and previously allowed ones are preselected. */
function offeredOrganizations(
  deps: Pick<Deps, 'state'>,
  request: AuthorizationRequest,
  user: User,
): OrganizationChoice[] {
  const before = findConsent(deps, consentSubject(request, user))?.organizationIds ?? []
  return organizationChoices(deps, user, new Set([...request.organizationIds, ...before]))
}

function selectedIds(choices: readonly OrganizationChoice[]): string[] {
  return choices.filter(({ selected }) => selected).map(({ organization }) => organization.id)
}

/**
 * Records the consent and issues a code, as {@link issueCode} does.
 * @returns the redirect URI with `code` and `state`
 */
export function approveAuthorization(
  deps: Deps,
  request: AuthorizationRequest,
  signedIn: SignedIn,
  answer: ApprovalResponse = {},
): string {
  return approvalLocation(request, issueCode(deps, request, signedIn, answer))
}

/** Returns the redirect URI with `code` and `state` (RFC 6749 §4.1.2). */
export function approvalLocation(request: AuthorizationRequest, code: string): string {
  return answerLocation(request, { code })
}

/**
 * Returns why a code can no longer be redeemed; `undefined` while it can.
 * @param code code that was issued before
 */
export function codeBar({ state, clock }: Pick<Deps, 'state' | 'clock'>, code: string) {
  const issued = state.codes.get(code)
  if (issued === undefined) return 'its code was revoked'
  if (issued.usedAt !== undefined) return 'the app has already redeemed its code'
  return issued.expiresAt <= clock.now() ? 'its code has expired' : undefined
}

/**
 * Records the consent and issues a code.
 * @param answer organizations without the user are ignored
 * @see RFC 6749 §4.1.2
 */
export function issueCode(
  deps: Deps,
  request: AuthorizationRequest,
  signedIn: SignedIn,
  answer: ApprovalResponse = {},
): string {
  const { clock, ids, settings, state, bus } = deps
  const { app, scopes } = request
  const { user, authTime } = signedIn
  checkUserMayAuthorize(deps, request, user)
  const offered = selectedIds(offeredOrganizations(deps, request, user))
  const granted =
    answer.organizationIds === undefined
      ? offered
      : ownOrganizationIds(deps, user, answer.organizationIds)
  const takenBack = answer.onPage === true ? offered.filter((id) => !granted.includes(id)) : []
  rememberConsent(deps, consentSubject(request, user), granted, new Set(takenBack))
  const now = clock.now()
  const own = ids.of('code', app.id, user.id)
  const code = state.codes.put({
    id: own.alphanumeric(32),
    clientId: app.id,
    userId: user.id,
    redirectUri: request.redirectUri,
    scopes,
    organizationIds: granted,
    authTime,
    createdAt: now,
    expiresAt: now + settings.lifetimes.codeMs,
    familyId: own.uuid(),
    ...omitUndefined({ codeChallenge: request.codeChallenge, nonce: request.nonce }),
    ...(request.resources.length === 0 ? {} : { resources: request.resources }),
  })
  bus.emit('authorization.granted', {
    userId: user.id,
    clientId: app.id,
    scopes,
    organizationIds: granted,
  })
  return code.id
}

/**
 * Denies the request. The denial is not stored: the next request asks again.
 * @returns the redirect URI with the error
 */
export function denyAuthorization(deps: Deps, request: AuthorizationRequest, user: User): string {
  const { code, location } = denialOf(request)
  deps.bus.emit('authorization.denied', {
    userId: user.id,
    clientId: request.app.id,
    error: code,
    detail: userDenials.consent,
  })
  return location
}

/** Returns the redirect URI with the error of a denial (RFC 6749 §4.1.2.1). */
export function denialLocation(request: AuthorizationRequest): string {
  return denialOf(request).location
}

function denialOf(request: AuthorizationRequest): AuthorizationError {
  return new AuthorizationError('access_denied', userDenials.consent, {
    ...request,
    clientId: request.app.id,
  })
}

/** Returns why this user cannot authorize this app; `undefined` when the user can. */
export function authorizationBar(
  deps: Pick<Deps, 'state'>,
  app: App,
  user: User,
): string | undefined {
  if (!user.emailVerified) {
    return `The e-mail address of ${user.username} is not verified. The Hub requires a verified address to authorize an app.`
  }
  const required = requiredOrganizationIds(app)
  if (required === undefined) return undefined
  const names = required.flatMap((id) => deps.state.organizations.get(id)?.name ?? [])
  const isMember = deps.state.organizations
    .group('member', user.id)
    .some(({ id }) => required.includes(id))
  if (isMember) return undefined
  if (names.length > 0) return `This app is for members of ${names.join(', ')} only.`
  return app.origin === 'space'
    ? 'This app is restricted to the organizations in hf_oauth_authorized_org of its Space, but none of them exists. Create one, or correct the README of the Space.'
    : 'This app is restricted to organizations that have been deleted.'
}

function checkUserMayAuthorize(deps: Deps, request: AuthorizationRequest, user: User): void {
  if (isOtherUser(request, user)) refuse(request, 'login_required', otherUser)
  const bar = authorizationBar(deps, request.app, user)
  if (bar !== undefined) refuse(request, 'access_denied', bar)
}

/** Returns the user's organizations for the consent page. */
export function organizationChoices(
  deps: Pick<Deps, 'state'>,
  user: User,
  selected: ReadonlySet<string>,
): OrganizationChoice[] {
  return deps.state.organizations.group('member', user.id).map((organization) => {
    const restrictions = organization.securityRestrictions
      .filter(({ userIds }) => userIds === undefined || userIds.includes(user.id))
      .map(({ type }) => type)
    return {
      organization,
      restrictions,
      selected: selected.has(organization.id) && restrictions.length === 0,
    }
  })
}

/** Filters `ids` by the organizations that the user belongs to and has access to. */
export function ownOrganizationIds(
  deps: Pick<Deps, 'state'>,
  user: User,
  ids: readonly string[],
): string[] {
  return selectedIds(organizationChoices(deps, user, new Set(ids)))
}

/** Returns the user of `--auto-approve`. */
export function autoApprover(deps: Pick<Deps, 'settings' | 'state'>): User | undefined {
  const { autoApprove } = deps.settings
  if (autoApprove === undefined) return undefined
  return autoApprove === true
    ? deps.state.users.first()
    : deps.state.users.find('name', nameKey(autoApprove))
}

function refuse(
  request: AuthorizationRequest,
  code: 'login_required' | 'consent_required' | 'access_denied',
  description: string,
  detail?: string,
): never {
  throw new AuthorizationError(
    code,
    description,
    { ...request, clientId: request.app.id },
    omitUndefined({ detail }),
  )
}
