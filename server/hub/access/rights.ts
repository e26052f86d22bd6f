import type { User } from '../../store/entities/account-entities.ts'
import { type Role, roles } from '../../contract/words/account-words.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { State } from '../../store/state.ts'
import { restrictionsFor } from './visible-organizations.ts'

/** Right of a user, apart from any token; each includes those before it. */
export type Right = Exclude<Role, 'no_access'> | 'none'

type Accounts = Pick<State, 'organizations'>

/** Facts that decide who may see a repo: of a repo, or of the copy in an event. */
export type ReadableRepo = Pick<Repo, 'ownerId' | 'resourceGroupId'> &
  (Pick<Repo, 'visibility'> | { private: boolean })

const order: readonly Right[] = roles.map((role) => (role === 'no_access' ? 'none' : role))

export function includesRight(right: Right, needed: Right): boolean {
  return order.indexOf(right) >= order.indexOf(needed)
}

/**
 * Checks whether a user can read a repo without a token, or with one without limits.
 * @param user absent = an anonymous caller
 */
export function canRead(
  { state }: { state: Accounts },
  user: Pick<User, 'id'> | undefined,
  repo: ReadableRepo,
): boolean {
  if (!isPrivate(repo)) return true
  if (user === undefined || isBarred(state, user.id, repo.ownerId)) return false
  return rightInNamespace(state, user.id, repo.ownerId, repo.resourceGroupId) !== 'none'
}

/** Checks whether the source is hidden: a protected Space's source is, as a private repo's. */
export function isPrivate(repo: ReadableRepo): boolean {
  return 'private' in repo ? repo.private : repo.visibility !== 'public'
}

/** Returns a user's right on a repo. A contributor may write to repos they created. */
export function rightOnRepo(state: Accounts, userId: string, repo: Repo): Right {
  const right = rightInNamespace(state, userId, repo.ownerId, repo.resourceGroupId)
  return right === 'contributor' && repo.creatorId === userId ? 'write' : right
}

/**
 * Returns a user's right in a namespace. Inside a resource group the role in the group counts, and administrators of the
 * organization are administrators of every group.
 */
export function rightInNamespace(
  state: Accounts,
  userId: string,
  ownerId: string,
  resourceGroupId?: string,
): Right {
  if (ownerId === userId) return 'admin'
  const organization = state.organizations.get(ownerId)
  const role = organization?.members.find((member) => member.userId === userId)?.role
  if (organization === undefined || role === undefined) return 'none'
  if (resourceGroupId === undefined || role === 'admin') return rightOfRole(role)
  const group = organization.resourceGroups.find(({ id }) => id === resourceGroupId)
  const groupRole = group?.members.find((member) => member.userId === userId)?.role
  return groupRole === undefined ? 'none' : rightOfRole(groupRole)
}

function isBarred(state: Accounts, userId: string, ownerId: string): boolean {
  const organization = state.organizations.get(ownerId)
  return organization !== undefined && restrictionsFor(organization, userId).length > 0
}

function rightOfRole(role: Role): Right {
  return role === 'no_access' ? 'none' : role
}
