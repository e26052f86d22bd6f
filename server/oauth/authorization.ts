import { omitUndefined } from '../core/omit-undefined.ts'
import type { Deps } from '../events/deps.ts'
import type { Organization, User } from '../state/entities/accounts.ts'
import type { SecurityRestriction } from '../contract/words/accounts.ts'
import { userDenials } from '../contract/words/oauth.ts'
import type { App } from '../state/entities/oauth.ts'
import { requiredOrganizationIds } from '../state/required-organizations.ts'
import { nameKey } from '../state/state.ts'
import {
  answerLocation,
  AuthorizationError,
  type AuthorizationRequest,
} from './authorization-request.ts'
import { type ConsentSubject, findConsent, rememberConsent } from './consents.ts'

/** Who sits at the browser. */
export interface SignedIn {
  user: User
  /** When the user signed in, milliseconds. */
  authTime: number
}

export type AuthorizationStep =
  | { kind: 'login' }
  | { kind: 'consent'; signedIn: SignedIn; organizations: OrganizationChoice[] }
  | { kind: 'redirect'; location: string }

/** What the user says to the organizations that the consent page offers. */
export interface ApprovalAnswer {
  /** Those that are ticked; default: as the page offers them. */
  organizationIds?: readonly string[]
  /** Whether the user had the page in view: then an organization that is not ticked is taken back. */
  onPage?: boolean
}

export interface AuthorizationCircumstances {
  /** The user comes from the login page with this very request, so that what asks for it asks once. Default false. */
  justSignedIn?: boolean
  /** Whether the user of `--auto-approve` answers: not what a page does behind its user's back. Default true. */
  mayAutoApprove?: boolean
}

/** An organization of the user, as the consent page offers it. */
export interface OrganizationChoice {
  organization: Organization
  selected: boolean
  /** What bars the user from it at present. */
  restrictions: SecurityRestriction[]
}

/**
 * What comes next for a checked request: sign in, ask, or straight back with a code when the same user has
 * allowed the same app the same scopes before.
 * @throws {AuthorizationError} `login_required`, `consent_required` for `prompt=none`; `access_denied` when this
 *   user cannot authorize the app
 * @see RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.3
 */
export function nextAuthorizationStep(
  deps: Deps,
  request: AuthorizationRequest,
  signedIn: SignedIn | undefined,
  { justSignedIn = false, mayAutoApprove = true }: AuthorizationCircumstances = {},
): AuthorizationStep {
  const approver = mayAutoApprove ? autoApprover(deps) : undefined
  // Whoever is not the one whom the client means cannot answer: it is asked who signs in, as of any other.
  if (approver !== undefined && !isOtherUser(request, approver)) {
    const auto = { user: approver, authTime: deps.clock.now() }
    return { kind: 'redirect', location: approveAuthorization(deps, request, auto) }
  }
  if (request.subject !== undefined && !deps.state.users.has(request.subject)) {
    refuse(request, 'login_required', 'The user of id_token_hint no longer exists.')
  }
  if (signedIn === undefined) return askToSignIn(request, 'No user is signed in.')
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

function askToSignIn(request: AuthorizationRequest, reason: string): AuthorizationStep {
  if (request.prompt.has('none')) refuse(request, 'login_required', reason)
  return { kind: 'login' }
}

function reasonToSignInAgain(
  deps: Pick<Deps, 'clock'>,
  request: AuthorizationRequest,
  signedIn: SignedIn,
  justSignedIn: boolean,
): string | undefined {
  if (isOtherUser(request, signedIn.user)) return otherUser
  if (justSignedIn) return undefined
  if (request.prompt.has('login')) return 'The client asks that the user signs in again.'
  const { maxAge } = request
  if (maxAge === undefined) return undefined
  // 0 means the same as prompt=login, also where no time passes: the clock may stand still.
  const isTooLongAgo = maxAge === 0 || deps.clock.now() - signedIn.authTime > maxAge * 1000
  return isTooLongAgo ? 'The user signed in longer ago than max_age allows.' : undefined
}

const otherUser = 'The user is not the one of id_token_hint.'

function isOtherUser({ subject }: AuthorizationRequest, user: User): boolean {
  return subject !== undefined && subject !== user.id
}

function consentSubject({ app, scopes }: AuthorizationRequest, user: User): ConsentSubject {
  return { userId: user.id, clientId: app.id, scopes }
}

/** The user's organizations as the consent page offers them: ticked are those asked for and those allowed before. */
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
 * Records the consent and issues a code.
 * @param answer organizations the user does not belong to are left out
 * @returns the redirect URI with `code` and `state`
 * @see RFC 6749 §4.1.2
 */
export function approveAuthorization(
  deps: Deps,
  request: AuthorizationRequest,
  signedIn: SignedIn,
  answer: ApprovalAnswer = {},
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
  return answerLocation(request, { code: code.id })
}

/**
 * The user said no. It is not remembered: the next request asks again.
 * @returns the error to redirect
 */
export function denyAuthorization(deps: Deps, request: AuthorizationRequest, user: User): string {
  const error = new AuthorizationError('access_denied', userDenials.consent, {
    ...request,
    clientId: request.app.id,
  })
  deps.bus.emit('authorization.denied', {
    userId: user.id,
    clientId: request.app.id,
    error: error.code,
  })
  return error.location
}

/** Why this user cannot allow this app anything; `undefined` when nothing bars it. */
export function authorizationBar(
  deps: Pick<Deps, 'state'>,
  app: App,
  user: User,
): string | undefined {
  if (!user.emailVerified) {
    return `The e-mail address of ${user.username} is not verified, which the hub asks for before an app is allowed anything.`
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
    ? 'This app is for members of the organizations that the README of its Space names as hf_oauth_authorized_org, and none of them exists.'
    : 'This app is for members of organizations that have been deleted.'
}

function checkUserMayAuthorize(deps: Deps, request: AuthorizationRequest, user: User): void {
  if (isOtherUser(request, user)) refuse(request, 'login_required', otherUser)
  const bar = authorizationBar(deps, request.app, user)
  if (bar !== undefined) refuse(request, 'access_denied', bar)
}

/** The user's organizations, for the consent page. */
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

/** Those of `ids` that are organizations of the user and not barred to it. */
export function ownOrganizationIds(
  deps: Pick<Deps, 'state'>,
  user: User,
  ids: readonly string[],
): string[] {
  return selectedIds(organizationChoices(deps, user, new Set(ids)))
}

/** The user of `--auto-approve`. */
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
): never {
  throw new AuthorizationError(code, description, { ...request, clientId: request.app.id })
}
