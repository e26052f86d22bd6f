import type { AccessToken } from '../../state/entities/oauth.ts'
import type { AccessRule } from './access-rules.ts'
import { grantsOrganization } from './visible-organizations.ts'

/** What a token is used on. */
export interface TokenTarget {
  readonly ownerId: string
  /** A private repo or collection. */
  readonly isPrivate: boolean
  readonly isAuthor: boolean
  readonly entity?: { readonly type: string; readonly id: string; readonly name?: string }
  /** The app that made the repo. */
  readonly creatorClientId?: string
}

/**
 * Whether a token reaches what this user or organization owns beyond what anybody sees. A user
 * access token without confinement reaches all that its user does.
 */
export function reaches(token: AccessToken, { ownerId, entity }: TokenTarget): boolean {
  if (token.boundOrganizationId !== undefined) return token.boundOrganizationId === ownerId
  if (token.kind === 'oauth') return ownerId === token.userId || grantsOrganization(token, ownerId)
  if (token.role !== 'fineGrained') return true
  return (token.fineGrained?.scoped ?? []).some((scoped) => names(scoped.entity, ownerId, entity))
}

/**
 * The scopes an OAuth token lacks, the smallest that would do for each need.
 * @returns `undefined` when no scope opens this at all
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

/** Whether a fine-grained user access token holds a permission for the target. */
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
    // Global permissions act on what anybody can see.
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
