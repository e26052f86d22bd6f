import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import { permit, type PermitDeps } from '../access/access.ts'
import type { NamespaceAction } from '../access/access-rules.ts'
import { findNamespace, type NamespaceOwner } from '../files/repo-names.ts'
import type { User } from '../../store/entities/account-entities.ts'

/**
 * Returns the namespace of a route and its caller.
 * @param group resource group of the organization, whose roles count there
 * @throws {Refusal} unless the caller may do this in the namespace
 */
export function namespaceOfRoute(
  deps: PermitDeps,
  { principal, params }: FastifyRequest,
  action: NamespaceAction,
  group: { resourceGroupId?: string } = {},
): { owner: NamespaceOwner; user: User } {
  const { namespace } = params as { namespace: string }
  const owner = findNamespace(deps.state, namespace)
  permit(deps, principal, { action, ownerId: owner?.id ?? '', ...group })
  if (owner === undefined || principal.kind === 'anonymous') {
    throw new Refusal('not_found', `There is no user or organization ${namespace}`)
  }
  return { owner, user: principal.user }
}
