import type {
  GroupChangesBody,
  GroupSettingsBody,
  GroupUsersBody,
  NewResourceGroupBody,
  ResourceGroupResponse,
} from '../../contract/hub-organizations.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import { findRepo } from '../access/find-repo.ts'
import { collectionSlug, collectionsOf } from '../collections/collections.ts'
import { isPrivate } from '../access/rights.ts'
import { describePerson } from '../people/person-view.ts'
import { updateRepo } from '../repos/repos.ts'
import { recordAudit } from '../oauth/audit-log.ts'
import type {
  Organization,
  OrganizationMember,
  ResourceGroup,
} from '../../store/entities/account-entities.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { requireUser } from '../../store/lookups.ts'
import { nameKey } from '../../store/state.ts'

interface Change {
  organization: Organization
  actorId: string
}
interface GroupChange extends Change {
  groupId: string
}

/**
 * Creates a resource group with members and repos and records it in the audit log.
 * @throws {Refusal} `plan_required` on the free plan, `conflict` for a name that is taken, `not_found` for a user who is no
 *   member, or a repo of others
 */
export function createResourceGroup(
  deps: Deps,
  {
    organization,
    actorId,
    name,
    description,
    users = [],
    repos = [],
    autoJoin,
  }: Change & NewResourceGroupBody,
): ResourceGroup {
  requirePaidPlan(organization)
  requireFreeGroupName(organization, name)
  const members = addMembers(deps, organization, [], users)
  const found = repos.map((repo) => requireRepoOf(deps, organization, repo))
  const group: ResourceGroup = {
    id: deps.ids.of('resource group').objectId(),
    name,
    ...omitUndefined({ description, autoJoin: readAutoJoin(autoJoin) }),
    members,
  }
  deps.state.organizations.put({
    ...organization,
    resourceGroups: [...organization.resourceGroups, group],
  })
  record(deps, { organization, actorId }, 'resource_group.create', `Created ${name}`, group)
  for (const repo of found) setRepoGroup(deps, { repo, groupId: group.id, actorId })
  return group
}

/**
 * Adds members of the organization to a resource group, or changes their roles in it.
 * @throws {Refusal} `plan_required` on the free plan, `not_found` for an unknown group or a user outside the organization
 */
export function addGroupUsers(
  deps: Deps,
  { organization, actorId, groupId, users }: GroupChange & GroupUsersBody,
): ResourceGroup {
  const before = requireGroupOfPlan(organization, groupId)
  const group = { ...before, members: addMembers(deps, organization, before.members, users) }
  const names = users.map(nameOf).join(', ')
  return replaceGroup(
    deps,
    { organization, actorId, group },
    'add_users',
    `Added ${names} to ${group.name}`,
  )
}

/**
 * Renames or describes a resource group.
 * @throws {Refusal} `plan_required` on the free plan, `not_found` for an unknown group, `conflict` for a name that is taken
 */
export function updateGroup(
  deps: Deps,
  { organization, actorId, groupId, changes }: GroupChange & { changes: GroupChangesBody },
): ResourceGroup {
  const before = requireGroupOfPlan(organization, groupId)
  const { name = before.name } = changes
  requireFreeGroupName(organization, name, before)
  const group = { ...before, ...omitUndefined(changes) }
  return replaceGroup(deps, { organization, actorId, group }, 'settings', `Changed ${before.name}`)
}

/**
 * Decides whether new members of the organization join a resource group.
 * @throws {Refusal} `plan_required` on the free plan, `not_found` for an unknown group
 */
export function configureGroup(
  deps: Deps,
  { organization, actorId, groupId, autoJoin }: GroupChange & GroupSettingsBody,
): ResourceGroup {
  const before = requireGroupOfPlan(organization, groupId)
  if (autoJoin === undefined) return before
  const { autoJoin: _, ...rest } = before
  const group = { ...rest, ...omitUndefined({ autoJoin: readAutoJoin(autoJoin) }) }
  const message = `Changed how ${group.name} is joined`
  return replaceGroup(deps, { organization, actorId, group }, 'settings', message)
}

function readAutoJoin(autoJoin: GroupSettingsBody['autoJoin']): ResourceGroup['autoJoin'] {
  if (autoJoin === undefined || !('role' in autoJoin)) return undefined
  const { role, scope } = autoJoin
  return { role, ...omitUndefined({ scope }) }
}

/**
 * Lets new members of an organization join the resource groups that ask for it.
 * @param before members whom nothing changes for
 */
export function joinGroups(
  { members, resourceGroups }: Organization,
  before: readonly OrganizationMember[],
): ResourceGroup[] {
  const known = new Set(before.map(({ userId }) => userId))
  const added = members.filter(({ userId }) => !known.has(userId))
  return resourceGroups.map((group) => {
    const { autoJoin } = group
    if (autoJoin === undefined) return group
    const joining = added.filter(
      ({ userId, role }) =>
        (autoJoin.scope !== 'read_plus' || role !== 'no_access') &&
        !group.members.some((member) => member.userId === userId),
    )
    const joined = joining.map(({ userId }) => ({ userId, role: autoJoin.role }))
    return { ...group, members: [...group.members, ...joined] }
  })
}

/**
 * Deletes a resource group. Its repos and collections stay in the organization, in no group.
 * @throws {Refusal} `plan_required` on the free plan, `not_found` for an unknown group
 */
export function deleteGroup(deps: Deps, { organization, actorId, groupId }: GroupChange): void {
  const group = requireGroupOfPlan(organization, groupId)
  const resourceGroups = organization.resourceGroups.filter((one) => one !== group)
  const changed = deps.state.organizations.put({ ...organization, resourceGroups })
  emptyGroups(deps, changed, actorId)
  record(deps, { organization, actorId }, 'resource_group.delete', `Deleted ${group.name}`, group)
}

/** Takes repos and collections out of resource groups that the organization no longer has. */
export function emptyGroups(
  deps: Deps,
  { id: ownerId, resourceGroups }: Organization,
  actorId?: string,
): void {
  const known = new Set(resourceGroups.map(({ id }) => id))
  const isLeft = ({ resourceGroupId: id }: Pick<Repo, 'resourceGroupId'>) =>
    id !== undefined && !known.has(id)
  for (const repo of deps.state.repos.group('owner', ownerId).filter(isLeft)) {
    setRepoGroup(deps, { repo, groupId: null, actorId })
  }
  for (const collection of collectionsOf(deps.state, ownerId).filter(isLeft)) {
    const { resourceGroupId: _, ...rest } = collection
    deps.state.hubCollections.put(rest)
  }
}

/**
 * Changes the role of a member of a resource group, or removes the member.
 * @param input `role`: absent to remove
 * @throws {Refusal} `plan_required` on the free plan, `not_found` for an unknown group or a user outside of it
 */
export function changeGroupUser(
  deps: Deps,
  {
    organization,
    actorId,
    groupId,
    username,
    role,
  }: GroupChange & { username: string; role?: OrganizationMember['role'] },
): ResourceGroup {
  const before = requireGroupOfPlan(organization, groupId)
  const { id } = requireUser(deps, username)
  if (!before.members.some(({ userId }) => userId === id)) {
    throw new Refusal('not_found', `${username} is not a member of ${before.name}`)
  }
  const others = before.members.filter(({ userId }) => userId !== id)
  const members = role === undefined ? others : withRole(before.members, id, role)
  const [type, what] = role === undefined ? ['remove_users', 'Removed'] : ['change_role', 'Changed']
  const change = { organization, actorId, group: { ...before, members } }
  return replaceGroup(deps, change, type, `${what} ${username} in ${before.name}`)
}

function replaceGroup(
  deps: Deps,
  { organization, actorId, group }: Change & { group: ResourceGroup },
  type: string,
  message: string,
): ResourceGroup {
  const resourceGroups = organization.resourceGroups.map((one) =>
    one.id === group.id ? group : one,
  )
  deps.state.organizations.put({ ...organization, resourceGroups })
  record(deps, { organization, actorId }, `resource_group.${type}`, message, group)
  return group
}

/** @throws {Refusal} `conflict` */
function requireFreeGroupName(
  organization: Organization,
  name: string,
  except?: ResourceGroup,
): void {
  const holder = organization.resourceGroups.find((group) => nameKey(group.name) === nameKey(name))
  if (holder === undefined || holder === except) return
  throw new Refusal('conflict', `${organization.name} already has a resource group ${name}`)
}

/**
 * Moves a repo to a resource group of its organization, or out of any, and emits an event unless nothing changes.
 * @param input `groupId: null` removes it from its group
 * @throws {Refusal} `not_found` for an unknown group, also for a repo of a user
 */
export function setRepoGroup(
  deps: Deps,
  { repo, groupId, actorId }: { repo: Repo; groupId: string | null; actorId?: string | undefined },
): Repo {
  const organization = deps.state.organizations.get(repo.ownerId)
  if (groupId !== null) requireGroup(organization, groupId)
  if ((repo.resourceGroupId ?? null) === groupId) return repo
  const actor = omitUndefined({ actorId })
  const moved = updateRepo(deps, { repo, resourceGroupId: groupId, ...actor })
  if (organization !== undefined) {
    recordAudit(deps, {
      organizationId: organization.id,
      type: 'repo.update_resource_group',
      message: `Changed the resource group of ${repo.name}`,
      ...omitUndefined({ authorId: actorId }),
      data: { repo: repo.name, type: repo.type, resourceGroupId: groupId },
    })
  }
  return moved
}

/** Lists the resource groups that a member may see: administrators see all, others their own. */
export function visibleGroups(
  { members, resourceGroups }: Organization,
  userId: string,
): ResourceGroup[] {
  const role = members.find((member) => member.userId === userId)?.role
  return resourceGroups.filter(
    (group) => role === 'admin' || group.members.some((member) => member.userId === userId),
  )
}

/** Describes a resource group with its members, repos and collections. */
export function describeGroup(
  deps: Pick<Deps, 'state'>,
  { id: ownerId }: Organization,
  { id, name, description, autoJoin, members }: ResourceGroup,
): ResourceGroupResponse {
  const { state } = deps
  const isInGroup = ({ resourceGroupId }: Pick<Repo, 'resourceGroupId'>) => resourceGroupId === id
  const repos = state.repos
    .group('owner', ownerId)
    .filter(isInGroup)
    .map((repo) => ({ type: repo.type, name: repo.name, private: isPrivate(repo) }))
  const collections = collectionsOf(state, ownerId).filter(isInGroup)
  return {
    id,
    name,
    ...omitUndefined({ description }),
    ...(autoJoin && { autoJoin: { enabled: true, ...autoJoin } }),
    users: members.flatMap(({ userId, role }) => {
      const user = state.users.get(userId)
      if (user === undefined) return []
      const { user: username, isPro: _, ...person } = describePerson(user)
      return [{ ...person, name: username, role }]
    }),
    repos,
    resources: [
      ...repos,
      ...collections.map((collection) => ({
        type: 'collection' as const,
        id: collection.id,
        slug: collectionSlug(deps, collection),
        title: collection.title,
        private: collection.private,
      })),
    ],
  }
}

/** @throws {Refusal} `plan_required` on the free plan, `not_found` */
function requireGroupOfPlan(organization: Organization, groupId: string): ResourceGroup {
  requirePaidPlan(organization)
  return requireGroup(organization, groupId)
}

/** @throws {Refusal} `not_found` */
export function requireGroup(organization: Organization | undefined, id: string): ResourceGroup {
  const group = organization?.resourceGroups.find((one) => one.id === id.toLowerCase())
  if (group !== undefined) return group
  throw new Refusal('not_found', `Resource group not found: ${id}`)
}

const nameOf = (member: GroupUsersBody['users'][number]) =>
  'user' in member ? member.user : member.name

function addMembers(
  deps: Pick<Deps, 'state'>,
  { name, members }: Organization,
  before: readonly OrganizationMember[],
  users: GroupUsersBody['users'],
): OrganizationMember[] {
  return users.reduce<OrganizationMember[]>(
    (list, member) => {
      const { id, username } = requireUser(deps, nameOf(member))
      if (!members.some(({ userId }) => userId === id)) {
        throw new Refusal('not_found', `${username} is not a member of ${name}`)
      }
      return withRole(list, id, member.role)
    },
    [...before],
  )
}

function requireRepoOf(
  deps: Pick<Deps, 'state'>,
  { id, name }: Organization,
  repo: NonNullable<NewResourceGroupBody['repos']>[number],
): Repo {
  const found = findRepo(deps, repo.type, repo.name)?.repo
  if (found?.ownerId === id) return found
  throw new Refusal('not_found', `${name} has no ${repo.type} ${repo.name}`)
}

function record(
  deps: Deps,
  { organization, actorId }: Change,
  type: string,
  message: string,
  { id, name }: ResourceGroup,
): void {
  recordAudit(deps, {
    organizationId: organization.id,
    type,
    message,
    authorId: actorId,
    data: { resourceGroup: { id, name } },
  })
  deps.bus.emit('account.changed', { kind: 'organization', id: organization.id })
}

/** Sets the role of one member, who is added at the end if missing. */
export function withRole(
  members: readonly OrganizationMember[],
  userId: string,
  role: OrganizationMember['role'],
): OrganizationMember[] {
  const isListed = members.some((member) => member.userId === userId)
  if (!isListed) return [...members, { userId, role }]
  return members.map((member) => (member.userId === userId ? { ...member, role } : member))
}

/** @throws {Refusal} `plan_required` on the free plan */
export function requirePaidPlan({ plan, name }: Organization): void {
  if (plan !== 'free') return
  throw new Refusal('plan_required', `${name} needs a Team or Enterprise plan for this`)
}
