import type { Scope } from '../../contract/scopes.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import type { AccessRule, AnyScope } from './access-rules.ts'
import { grantsOrganization } from './visible-organizations.ts'

/** Target that a token is used on. */
export interface TokenTarget {
  readonly ownerId: string
  /** A private repo or collection. */
  readonly isPrivate: boolean
  readonly isAuthor: boolean
  readonly entity?: { readonly type: string; readonly id: string }
  /** App that created the repo. */
  readonly creatorClientId?: string
}

/**
 * Checks whether a token reaches the non-public resources of a user or organization. A user access token that is not
 * confined reaches everything its user does.
 */
export function reaches(token: AccessToken, { ownerId, entity }: TokenTarget): boolean {
  if (token.boundOrganizationId !== undefined) return token.boundOrganizationId === ownerId
  if (token.kind === 'oauth') return ownerId === token.userId || grantsOrganization(token, ownerId)
  if (token.role !== 'fineGrained') return true
  return (token.fineGrained?.scoped ?? []).some((scoped) => names(scoped.entity, ownerId, entity))
}

/**
 * Returns the needs that the scopes of an OAuth token do not meet, each with the scopes that would.
 * @returns `undefined` when no scope permits this
 */
export function missingScopes(
  { scopes, clientId }: AccessToken,
  rule: AccessRule,
  target: TokenTarget,
): readonly AnyScope[] | undefined {
  if (rule.scopes === undefined) return undefined
  const needs: readonly AnyScope[] = [
    ...rule.scopes,
    ...(target.isPrivate ? (rule.privateScopes ?? []) : []),
    ...(target.isAuthor ? [] : (rule.foreignScopes ?? [])),
  ]
  const isOwnApp = clientId !== undefined && target.creatorClientId === clientId
  const isOpenToOwnApp = rule.ownApp === true && isOwnApp
  return needs
    .map((any): AnyScope => (isOpenToOwnApp ? [...any, 'contribute-repos'] : any))
    .filter((any) => !any.some((scope) => scopes.includes(scope)))
}

/** Returns the narrowest scopes that meet all needs, for a client to request (RFC 6750 §3: `scope`). */
export function narrowestScopes(needs: readonly AnyScope[]): Scope[] {
  return [...new Set(needs.map(([narrowest]) => narrowest))]
}

/** Names all scopes that would do: "the scopes write-discussions and write-repos (or manage-repos)". */
export function nameScopes(needs: readonly AnyScope[]): string {
  const texts = needs.map(([narrowest, ...others]) =>
    others.length === 0 ? narrowest : `${narrowest} (or ${others.join(', ')})`,
  )
  return `the ${texts.length === 1 ? 'scope' : 'scopes'} ${texts.join(' and ')}`
}

/** Checks whether a fine-grained user access token has a permission for the target. */
export function hasPermission(
  { fineGrained }: AccessToken,
  { permissions }: AccessRule,
  { ownerId, entity, isPrivate }: TokenTarget,
): boolean {
  const scoped = fineGrained?.scoped ?? []
  return (
    scoped.some(
      (grant) =>
        names(grant.entity, ownerId, entity) &&
        permissions.some((permission) => grant.permissions.includes(permission)),
    ) ||
    // Global permissions apply to public targets.
    (!isPrivate &&
      permissions.some((permission) => fineGrained?.global?.includes(permission) === true))
  )
}

function names(
  { _id: id, type }: { _id: string; type: string },
  ownerId: string,
  entity: TokenTarget['entity'],
): boolean {
  if (id === ownerId) return type === 'user' || type === 'org'
  // Not by its name, which another one may have taken.
  return type === entity?.type && id === entity.id
}
