import type { AnyRepoType } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { State } from '../../store/state.ts'
import { findNamespace, type NamespaceOwner } from '../files/repo-names.ts'
import { permit, type PermitDeps } from './access.ts'
import type { Principal } from './principal.ts'

/** @throws {Refusal} `not_found` */
export function requireNamespace(
  { state }: { state: Pick<State, 'users' | 'organizations'> },
  name: string,
): NamespaceOwner {
  const owner = findNamespace(state, name)
  if (owner !== undefined) return owner
  throw new Refusal('not_found', `Namespace not found: ${name}`, {
    detail: 'no user and no organization of the sandbox has this name',
  })
}

/**
 * Permits a new repo in a namespace. The response for an unknown namespace equals the one for a namespace of others, as on
 * the hub: clients that may use an existing repo check this status.
 * @returns the owner of the namespace
 * @throws {Refusal} `forbidden`
 */
export function permitNewRepo(
  deps: PermitDeps,
  principal: Principal,
  { type, namespace, ...group }: { type: AnyRepoType; namespace: string; resourceGroupId?: string },
): NamespaceOwner {
  try {
    const owner = requireNamespace(deps, namespace)
    permit(deps, principal, { action: 'repo.create', ownerId: owner.id, ...group })
    return owner
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code !== 'forbidden' && error.code !== 'not_found') throw error
    const { message, detail, scope } = error
    throw new Refusal(
      'forbidden',
      `You don't have the rights to create a ${type} under the namespace "${namespace}"`,
      { detail: [message, detail].filter(Boolean).join(': '), ...omitUndefined({ scope }) },
    )
  }
}
