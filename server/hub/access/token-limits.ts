import type { AccessToken } from '../../state/entities/oauth.ts'
import type { AccessRule } from './access-rules.ts'
import { grantsOrganization } from './visible-organizations.ts'

/** Target that a token is used on. */
export interface TokenTarget {
  readonly ownerId: string
  /** A private repo or collection. */
  readonly isPrivate: boolean
  readonly isAuthor: boolean
  readonly entity?: { readonly type: string; readonly id: string; readonly name?: string }
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
 * Returns the scopes that an OAuth token lacks, the narrowest for each need.
 * @returns `undefined` when no scope permits this
 */
export function missingScopes(
  { scopes, clientId }: AccessToken,
  rule: AccessRule,
  target: TokenTarget,
): string[] | undefined {
  if (rule.scopes === undefined) return undefined
  const isOwnApp = clientId !== undefined && target.creatorClientId === clientId
  if (rule.ownApp === true && isOwnApp && scopes.includes('contribute-repos')) return []
  const needs = [
    ...rule.scopes,
    ...(target.isPrivate ? (rule.privateScopes ?? []) : []),
    ...(target.isAuthor ? [] : (rule.foreignScopes ?? [])),
  ]
  return needs.filter((any) => !any.some((scope) => scopes.includes(scope))).map(([least]) => least)
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
  { _id: id, type, name }: { _id: string; type: string; name?: string },
  ownerId: string,
  entity: TokenTarget['entity'],
): boolean {
  if (id === ownerId) return type === 'user' || type === 'org'
  if (entity === undefined || type !== entity.type) return false
  return id === entity.id || (name !== undefined && name === entity.name)
}
