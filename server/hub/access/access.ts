import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { presentPrincipal } from './credentials.ts'
import { type Principal, unauthenticated } from './principal.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { HubCollection, Repo } from '../../store/entities/hub-entities.ts'
import type { AnyRepoType } from '../../contract/words/hub-words.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import {
  type AccessRule,
  type AccountAction,
  accountRules,
  type AnyScope,
  type CollectionAction,
  collectionRules,
  type NamespaceAction,
  namespaceRules,
  type RepoAction,
  repoRules,
} from './access-rules.ts'
import { Refusal, type RefusalOptions, type RefusalReason } from '../../core/refusal.ts'
import { repoWebPath } from '../files/repo-names.ts'
import { findRepo } from './find-repo.ts'
import { includesRight, isPrivate, type Right, rightInNamespace, rightOnRepo } from './rights.ts'
import {
  hasPermission,
  missingScopes,
  nameScopes,
  narrowestScopes,
  reaches,
  type TokenTarget,
} from './token-limits.ts'
import { restrictionsFor } from './visible-organizations.ts'

type AccessDeps = Pick<Deps, 'state' | 'settings'>
export type PermitDeps = AccessDeps & { readonly clock: Pick<Deps['clock'], 'now'> }

/** Action and its target. */
export type AccessQuestion =
  | {
      readonly action: RepoAction
      readonly repo: Repo
      /** Author of the discussion or comment that is the target. */
      readonly authorId?: string
      /** Target namespace of `repo.move`, if it differs. */
      readonly toOwnerId?: string
      /** Root of the URLs in a refusal (default: the base URL). */
      readonly root?: string
    }
  | {
      readonly action: NamespaceAction
      /** User or organization. */
      readonly ownerId: string
      readonly resourceGroupId?: string
    }
  | { readonly action: CollectionAction; readonly collection: HubCollection }
  | { readonly action: AccountAction }

/** Decision with the parts of its {@link Refusal}; `options.detail` is the reason for the developer. */
export type AccessDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      readonly code: RefusalReason
      readonly message: string
      readonly options: RefusalOptions
    }

const allowed: AccessDecision = { allowed: true }

/** The hub's message to anonymous callers for a missing or private repo; clients read `X-Error-Code`. */
export const repoHiddenFromNobody = 'Invalid username or password.'
const gateForNobody =
  '. You must have access to it and be authenticated to access it. Please log in.'

/**
 * Decides whether a principal may do something: the user needs the right, and the token must permit it. The order of the
 * checks decides the refusal: visibility, then the user's right, then the token's limits, so that `insufficient_scope`
 * means that a scope helps.
 */
export function decide(
  deps: AccessDeps,
  principal: Principal,
  question: AccessQuestion,
): AccessDecision {
  if ('repo' in question) return decideOnRepo(deps, principal, question)
  if ('collection' in question) return decideOnCollection(deps, principal, question)
  if (principal.kind === 'anonymous') return refuseNobody()
  if ('ownerId' in question) {
    const { action, ownerId, resourceGroupId } = question
    const right = rightInNamespace(deps.state, principal.user.id, ownerId, resourceGroupId)
    const target = { ownerId, isPrivate: false, isAuthor: false }
    return decideByRightAndToken(deps, principal, namespaceRules[action], right, target)
  }
  const target = { ownerId: principal.user.id, isPrivate: false, isAuthor: false }
  return decideByRightAndToken(deps, principal, accountRules[question.action], 'admin', target)
}

/**
 * Throws unless the principal may do something now. It checks the caller again, so that a token that was revoked while the
 * request was received is refused.
 * @throws {Refusal} the refusal of {@link decide}, or of {@link presentPrincipal}
 */
export function permit(deps: PermitDeps, principal: Principal, question: AccessQuestion): void {
  const decision = decide(deps, presentPrincipal(deps, principal), question)
  if (!decision.allowed) throw new Refusal(decision.code, decision.message, decision.options)
}

/**
 * Finds a repo by name and checks that the principal may do something with it.
 * @returns `moved` when it was found under a former name
 * @throws {Refusal} the refusal; a missing repo gets the same one as an invisible repo
 */
export function openRepo(
  deps: PermitDeps,
  principal: Principal,
  {
    type,
    name,
    ...question
  }: { type: AnyRepoType; name: string; action: RepoAction; root?: string },
): { repo: Repo; moved: boolean } {
  const found = findRepo(deps, type, name)
  if (found === undefined) {
    const { code, message, options } = hidden(principal, `there is no ${type} ${name}`)
    throw new Refusal(code, message, options)
  }
  permit(deps, principal, { ...question, repo: found.repo })
  return found
}

function decideOnRepo(
  deps: AccessDeps,
  principal: Principal,
  question: Extract<AccessQuestion, { repo: Repo }>,
): AccessDecision {
  const { action, repo, authorId, toOwnerId, root = deps.settings.baseUrl } = question
  const leaves = toOwnerId !== undefined && toOwnerId !== repo.ownerId
  const rule: AccessRule = leaves ? { ...repoRules[action], right: 'admin' } : repoRules[action]
  const user = principal.kind === 'anonymous' ? undefined : principal.user
  const target = describeRepo(repo, authorId !== undefined && authorId === user?.id)
  const right = user === undefined ? 'none' : rightOnRepo(deps.state, user.id, repo)
  if (principal.kind === 'token' && principal.token.repoId === repo.id) {
    return decideByPublisher(repo, rule)
  }

  const unseen = decideVisibility(deps, principal, right, target)
  if (unseen !== undefined) {
    return unseen === 'barred' ? barred(deps, principal, repo.ownerId) : hidden(principal, unseen)
  }
  if (repo.disabled === true) return refuseDisabled()
  if (principal.kind === 'anonymous') {
    if (rule.reads !== true) return refuseNobody()
  } else {
    const decision = decideByRightAndToken(deps, principal, rule, right, target)
    if (!decision.allowed) return decision
  }
  return action === 'repo.download' ? decideOnGate(root, principal, repo, right, target) : allowed
}

/** Decides for the token of a trusted publisher on its own repo; on others it has the rights of a user without any. */
function decideByPublisher(repo: Repo, rule: AccessRule): AccessDecision {
  if (repo.disabled === true) return refuseDisabled()
  if (rule.publisher === true) return allowed
  return forbidden(
    `${rule.label} is not open to tokens of trusted publishers`,
    'the token reads and writes the contents of its repo, and nothing else',
  )
}

function refuseDisabled(): Refused {
  return refuse('forbidden', 'Access to this resource is disabled.', {
    detail: 'the repo is disabled',
  })
}

function decideOnCollection(
  deps: AccessDeps,
  principal: Principal,
  { action, collection }: Extract<AccessQuestion, { collection: HubCollection }>,
): AccessDecision {
  const { id, ownerId, private: isPrivate, resourceGroupId } = collection
  const rule: AccessRule = collectionRules[action]
  const target = { ownerId, isPrivate, isAuthor: false, entity: { type: 'collection', id } }
  const right =
    principal.kind === 'anonymous'
      ? 'none'
      : rightInNamespace(deps.state, principal.user.id, ownerId, resourceGroupId)
  const unseen = decideVisibility(deps, principal, right, target)
  if (unseen === 'barred') return barred(deps, principal, ownerId)
  if (unseen !== undefined) return refuse('not_found', 'Collection not found', { detail: unseen })
  if (principal.kind === 'anonymous') return rule.reads === true ? allowed : refuseNobody()
  const decision = decideByRightAndToken(deps, principal, rule, right, target)
  const hides = !decision.allowed && decision.options.hubError === 'RepoNotFound'
  return hides
    ? refuse('not_found', 'Collection not found', { detail: decision.options.detail ?? '' })
    : decision
}

/** Returns the reason that a target is invisible, or `undefined`. */
function decideVisibility(
  { state }: AccessDeps,
  principal: Principal,
  right: Right,
  target: TokenTarget,
): string | undefined {
  if (!target.isPrivate) return undefined
  if (principal.kind === 'anonymous') return 'it is private, and no user is signed in'
  if (!includesRight(right, 'read'))
    return `it is private, and ${principal.user.username} has no part in it`
  if (principal.kind === 'token' && !reaches(principal.token, target)) {
    return `it is private, and the token does not reach it: ${confinement(principal.token)}`
  }
  return restrictions(state, principal, target.ownerId).length > 0 ? 'barred' : undefined
}

/** @param target known to be visible, so that a refusal reveals nothing */
function decideByRightAndToken(
  deps: AccessDeps,
  principal: Exclude<Principal, { kind: 'anonymous' }>,
  rule: AccessRule,
  right: Right,
  target: TokenTarget,
): AccessDecision {
  const asAuthor = rule.author !== undefined && target.isAuthor
  if (rule.author === 'only' && !asAuthor) {
    return forbidden(`${rule.label} is not possible`, `only who wrote it may do this`)
  }
  const needed = asAuthor ? 'read' : rule.right
  // Public targets are readable by everyone; an organization's restrictions apply to more.
  const isForMembers = needed !== 'read' || rule.ofMembers === true
  if (isForMembers) {
    if (!includesRight(right, needed)) {
      return forbidden(
        `${rule.label} needs the ${needed} right`,
        `${principal.user.username} has ${right === 'none' ? 'no right' : `the ${right} right`} there`,
      )
    }
    if (restrictions(deps.state, principal, target.ownerId).length > 0) {
      return barred(deps, principal, target.ownerId)
    }
  }
  if (principal.kind === 'session') return allowed
  return decideByToken(deps, principal.token, rule, isForMembers, target)
}

function decideByToken(
  deps: AccessDeps,
  token: AccessToken,
  rule: AccessRule,
  isForMembers: boolean,
  target: TokenTarget,
): AccessDecision {
  if (rule.reads === true && !target.isPrivate && rule.scopes?.length === 0) return allowed
  if (token.kind === 'user') return decideByUserToken(token, rule, target)
  const bound = token.boundOrganizationId !== undefined
  const missing = missingScopes(token, rule, target)
  if (!reaches(token, target) && (bound || isForMembers)) {
    return unreached(deps, token, target, missing ?? [])
  }
  if (missing === undefined) {
    return forbidden(
      `${rule.label} is not open to OAuth tokens`,
      'no scope allows this; use a user access token or the session',
    )
  }
  if (missing.length === 0) return allowed
  const lack = lackOf(token, missing)
  if (rule.reads === true && target.isPrivate && !bound)
    return missingFromSight('not_found', lack.detail)
  return refuse('forbidden', `${rule.label} needs ${nameScopes(missing)}`, lack)
}

/** Names everything that the token lacks: the organization and the scopes. */
function unreached(
  { state }: AccessDeps,
  token: AccessToken,
  { ownerId }: TokenTarget,
  missing: readonly AnyScope[],
): Refused {
  const name = state.organizations.get(ownerId)?.name
  const scopes = missing.length === 0 ? '' : ` and ${nameScopes(missing)}`
  if (token.boundOrganizationId !== undefined || name === undefined) {
    return forbidden('The token has no access to this namespace', confinement(token))
  }
  return forbidden(
    `The token needs access to the organization ${name}${scopes}`,
    `${confinement(token)}: select ${name} on the consent page; orgIds=${ownerId} preselects it`,
  )
}

/** Scopes to request, and for the developer all that would do beside those that the token has. */
function lackOf({ scopes }: AccessToken, missing: readonly AnyScope[]) {
  return {
    scope: narrowestScopes(missing).join(' '),
    detail: `the token has the scopes ${scopes.join(' ') || '(none)'}; this needs ${nameScopes(missing)}`,
  }
}

function decideByUserToken(
  token: AccessToken,
  rule: AccessRule,
  target: TokenTarget,
): AccessDecision {
  if (token.role === 'write') return allowed
  if (token.role !== 'fineGrained') {
    return rule.reads === true
      ? allowed
      : forbidden(
          `${rule.label} needs a write token`,
          `the token ${token.name ?? ''} has role read`,
        )
  }
  if (hasPermission(token, rule, target)) return allowed
  const detail = `the fine-grained token lacks ${rule.permissions.join(' or ')} for this`
  return rule.reads === true && target.isPrivate
    ? missingFromSight('not_found', detail)
    : forbidden(`${rule.label} needs another permission of the token`, detail)
}

/**
 * Checks the access list of a gated repo. Its owner needs no entry, and members of the owner only if a setting says so: it
 * does not concern administrators and the creator.
 */
function decideOnGate(
  root: string,
  principal: Principal,
  repo: Repo,
  right: Right,
  target: TokenTarget,
): AccessDecision {
  if (repo.gated === false) return allowed
  const subject = `Access to ${repo.type} ${repo.name} is restricted`
  const gated = (code: RefusalReason, message: string, options: RefusalOptions) =>
    refuse(code, `${subject}${message}`, { hubError: 'GatedRepo', ...options })
  if (principal.kind === 'anonymous') {
    return gated('unauthenticated', gateForNobody, {
      detail: 'the repo is gated, and no user is signed in',
    })
  }
  const token = principal.kind === 'token' ? principal.token : undefined
  const isCreator = repo.creatorId === principal.user.id
  const needed = repo.settings?.orgMembersGated === true && !isCreator ? 'admin' : 'read'
  const isMember = includesRight(right, needed) && (token === undefined || reaches(token, target))
  const request = repo.accessRequests.find(({ userId }) => userId === principal.user.id)
  if (!isMember && request?.status !== 'accepted') {
    const page = root + repoWebPath(repo.type, repo.name)
    return gated(
      'forbidden',
      ` and you are not in the authorized list. Visit ${page} to ask for access.`,
      {
        detail: `the access request of ${principal.user.username}: ${request?.status ?? 'none'}`,
      },
    )
  }
  if (token === undefined) return allowed
  const rule = repoRules['repo.download']
  const refusal = ' and the token does not allow reading gated repos'
  if (token.kind === 'oauth') {
    // The gates of others open to one scope alone: the scopes for repos are for those of the user.
    const scopes = [rule.gatedScopes[isMember ? 'own' : 'foreign']]
    const missing = missingScopes(token, { ...rule, scopes }, target) ?? []
    if (missing.length === 0) return allowed
    return gated(
      'forbidden',
      `${refusal}: it needs ${nameScopes(missing)}.`,
      lackOf(token, missing),
    )
  }
  const opens =
    token.role !== 'fineGrained' ||
    token.fineGrained?.canReadGatedRepos === true ||
    hasPermission(token, rule, target)
  if (opens) return allowed
  return gated('forbidden', `${refusal}.`, {
    detail:
      'the user may read it, but the fine-grained token needs canReadGatedRepos or a permission on the repo',
  })
}

function describeRepo(repo: Repo, isAuthor: boolean): TokenTarget {
  return {
    ownerId: repo.ownerId,
    isPrivate: isPrivate(repo),
    isAuthor,
    entity: { type: repo.type, id: repo.id },
    ...omitUndefined({ creatorClientId: repo.creatorClientId }),
  }
}

function restrictions(
  state: AccessDeps['state'],
  principal: Exclude<Principal, { kind: 'anonymous' }>,
  ownerId: string,
): string[] {
  const organization = state.organizations.get(ownerId)
  const token = principal.kind === 'token' ? principal.token : undefined
  return organization === undefined ? [] : restrictionsFor(organization, principal.user.id, token)
}

function confinement(token: AccessToken): string {
  if (token.boundOrganizationId !== undefined) {
    return 'it comes from a token exchange and is bound to another organization'
  }
  return token.kind === 'oauth'
    ? 'the organization was not granted when the user consented'
    : 'none of its fine-grained permissions name it or its owner'
}

type Refused = Extract<AccessDecision, { allowed: false }>

function barred(deps: AccessDeps, principal: Principal, ownerId: string): Refused {
  const { state } = deps
  const user: User | undefined = principal.kind === 'anonymous' ? undefined : principal.user
  const name = state.organizations.get(ownerId)?.name ?? ownerId
  const types = principal.kind === 'anonymous' ? [] : restrictions(state, principal, ownerId)
  return forbidden(
    `Your access to the organization ${name} is restricted: ${types.join(', ')}`,
    `security restrictions of ${name} concern ${user?.username ?? 'no user'}`,
  )
}

function hidden(principal: Principal, detail: string): Refused {
  return missingFromSight(principal.kind === 'anonymous' ? 'unauthenticated' : 'not_found', detail)
}

function missingFromSight(code: RefusalReason, detail: string): Refused {
  const message = code === 'unauthenticated' ? repoHiddenFromNobody : 'Repository not found'
  return refuse(code, message, { hubError: 'RepoNotFound', detail })
}

function refuseNobody(): Refused {
  const { message, detail } = unauthenticated
  return refuse('unauthenticated', message, { detail })
}

function forbidden(message: string, detail: string): Refused {
  return refuse('forbidden', message, { detail })
}

function refuse(code: RefusalReason, message: string, options: RefusalOptions): Refused {
  return { allowed: false, code, message, options }
}
