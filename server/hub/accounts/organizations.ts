import type {
  CreateOrganizationRequest,
  UpdateOrganizationRequest,
} from '../../contract/control-accounts.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { deleteCollection } from '../collections/collections.ts'
import { revokeAccessToken } from '../access/revoke-token.ts'
import { forgetMarksOn } from '../people/marks.ts'
import { deleteRepo } from '../repos/repos.ts'
import type { Organization, OrganizationMember } from '../../store/entities/account-entities.ts'
import { moveReposAlong, requireFreeAccountName } from './account-names.ts'
import { emptyGroups, joinGroups } from './resource-groups.ts'
import { requireUser } from '../../store/lookups.ts'
import { nameKey } from '../../store/state.ts'

/**
 * Creates an organization.
 * @throws {Refusal} `conflict` when the name is taken; `invalid` for an unknown member, and for a user in a group or
 *   restriction who is not a member
 */
export function createOrganization(deps: Deps, request: CreateOrganizationRequest): Organization {
  const { state, ids, clock, bus } = deps
  requireFreeAccountName(deps, request.name)
  const members = readMembers(deps, request.members ?? [], 'members')
  const insiders = insidersOf({ name: request.name, members })
  const organization = state.organizations.put({
    id: ids.of('organization', request.name).objectId(),
    name: request.name,
    fullname: request.fullname ?? request.name,
    plan: request.plan ?? 'free',
    canPay: request.canPay ?? false,
    ...omitUndefined({
      billingMode: request.billingMode,
      defaultVisibility: request.defaultVisibility,
    }),
    members,
    resourceGroups: readGroups(deps, request, [], insiders),
    securityRestrictions: readRestrictions(deps, request, insiders),
    createdAt: clock.now(),
  })
  bus.emit('account.changed', { kind: 'organization', id: organization.id })
  return organization
}

/**
 * Changes an organization. Lists replace the present ones; a new name moves its repos, too. Users who are no longer members
 * leave its groups and restrictions, and repos and collections leave groups that are no longer there.
 * @throws {Refusal} as {@link createOrganization}
 */
export function updateOrganization(
  deps: Deps,
  organization: Organization,
  request: UpdateOrganizationRequest,
): Organization {
  const { state, bus } = deps
  if (request.name !== undefined) requireFreeAccountName(deps, request.name, organization.id)
  const name = request.name ?? organization.name
  const members =
    request.members === undefined
      ? organization.members
      : readMembers(deps, request.members, 'members')
  const insiders = insidersOf({ name, members })
  const changed: Organization = {
    ...withoutOthers(organization, insiders),
    name,
    fullname: request.fullname ?? organization.fullname,
    plan: request.plan ?? organization.plan,
    canPay: request.canPay ?? organization.canPay,
    ...omitUndefined({
      billingMode: request.billingMode,
      defaultVisibility: request.defaultVisibility,
    }),
    members,
    ...(request.resourceGroups && {
      resourceGroups: readGroups(deps, request, organization.resourceGroups, insiders),
    }),
    ...(request.securityRestrictions && {
      securityRestrictions: readRestrictions(deps, request, insiders),
    }),
  }
  const resourceGroups = joinGroups(changed, organization.members)
  const updated = state.organizations.put({ ...changed, resourceGroups })
  emptyGroups(deps, updated)
  if (updated.name !== organization.name) moveReposAlong(deps, organization.id, updated.name)
  bus.emit('account.changed', { kind: 'organization', id: organization.id })
  return updated
}

/**
 * Deletes an organization with its repos, collections and audit log, and revokes the tokens that are limited to it.
 * @throws {Refusal} `conflict` while apps are bound to it, or admit only its members
 */
export function deleteOrganization(deps: Deps, organization: Organization): void {
  const { state, bus } = deps
  requireNoApps(deps, organization)
  for (const repo of state.repos.group('owner', organization.id)) deleteRepo(deps, { repo })
  for (const { id } of state.scheduledJobs.group('owner', organization.id))
    state.scheduledJobs.delete(id)
  for (const { id } of state.inferenceEndpoints.group('owner', organization.id)) {
    state.inferenceEndpoints.delete(id)
  }
  for (const collection of state.hubCollections.group('owner', organization.id)) {
    deleteCollection(deps, collection)
  }
  forgetMarksOn(deps, organization.id)
  for (const token of state.tokens.values()) {
    if (token.boundOrganizationId !== organization.id) continue
    revokeAccessToken(deps, token, 'its organization was deleted')
  }
  for (const { id } of state.auditRows.group('organization', organization.id)) {
    state.auditRows.delete(id)
  }
  state.organizations.delete(organization.id)
  bus.emit('account.changed', { kind: 'organization', id: organization.id })
}

/** Apps of Spaces follow their READMEs, so they do not block the deletion: they admit no user afterwards. */
function requireNoApps({ state }: Pick<Deps, 'state'>, { id, name }: Organization): void {
  const bound = state.apps.group('organization', id)
  const restricted = [...state.apps.values()].filter(
    ({ origin, authorizedOrganizationIds = [] }) =>
      origin !== 'space' && authorizedOrganizationIds.includes(id),
  )
  const conflicts = [
    ...(bound.length === 0 ? [] : [`Apps are bound to ${name}: ${namesOf(bound)}.`]),
    ...(restricted.length === 0
      ? []
      : [`Apps are for members of ${name} only: ${namesOf(restricted)}.`]),
  ]
  if (conflicts.length > 0) throw new Refusal('conflict', conflicts.join(' '))
}

function namesOf(apps: readonly { name: string }[]): string {
  return apps.map(({ name }) => name).join(', ')
}

type MemberInput = NonNullable<UpdateOrganizationRequest['members']>[number]

function readMembers(
  deps: Deps,
  members: readonly MemberInput[],
  path: string,
): OrganizationMember[] {
  const seen = new Set<string>()
  return members.map(({ user, role }, index) => {
    const { id } = requireUser(deps, user, `${path}[${index}].user`)
    if (seen.has(id)) {
      throw new Refusal('invalid', `${user} is listed twice.`, {
        issues: [{ path: `${path}[${index}].user`, message: 'is listed twice' }],
      })
    }
    seen.add(id)
    return { userId: id, role }
  })
}

/** Members of an organization by their ids, with its name for a refusal. */
interface Insiders {
  readonly name: string
  readonly ids: ReadonlySet<string>
}

function insidersOf({ name, members }: Pick<Organization, 'name' | 'members'>): Insiders {
  return { name, ids: new Set(members.map(({ userId }) => userId)) }
}

/** Removes users who are not members from groups and restrictions. A restriction that applies to no user is left out. */
function withoutOthers(organization: Organization, { ids }: Insiders): Organization {
  return {
    ...organization,
    resourceGroups: organization.resourceGroups.map((group) => ({
      ...group,
      members: group.members.filter(({ userId }) => ids.has(userId)),
    })),
    securityRestrictions: organization.securityRestrictions.flatMap((restriction) => {
      const { userIds: before } = restriction
      if (before === undefined) return [restriction]
      const userIds = before.filter((id) => ids.has(id))
      return userIds.length === 0 && before.length > 0 ? [] : [{ ...restriction, userIds }]
    }),
  }
}

/** @throws {Refusal} `invalid` for a user who is not a member */
function requireInsider({ name, ids }: Insiders, id: string, user: string, path: string): void {
  if (ids.has(id)) return
  const message = `${user} is not a member of ${name}.`
  throw new Refusal('invalid', message, { issues: [{ path, message }] })
}

function readGroups(
  deps: Deps,
  { resourceGroups = [] }: UpdateOrganizationRequest,
  present: Organization['resourceGroups'],
  insiders: Insiders,
): Organization['resourceGroups'] {
  const names = resourceGroups.map(({ name }) => nameKey(name))
  return resourceGroups.map(({ name, members }, index) => {
    if (names.indexOf(nameKey(name)) < index) {
      const message = `The resource group ${name} is listed twice.`
      throw new Refusal('invalid', message, {
        issues: [{ path: `resourceGroups[${index}].name`, message }],
      })
    }
    const path = `resourceGroups[${index}].members`
    const found = readMembers(deps, members, path)
    for (const [at, { userId }] of found.entries()) {
      requireInsider(insiders, userId, members[at]?.user ?? userId, `${path}[${at}].user`)
    }
    return {
      ...(present.find((group) => group.name === name) ?? {
        id: deps.ids.of('resource group').objectId(),
      }),
      name,
      members: found,
    }
  })
}

function readRestrictions(
  deps: Deps,
  { securityRestrictions = [] }: UpdateOrganizationRequest,
  insiders: Insiders,
): Organization['securityRestrictions'] {
  return securityRestrictions.map(({ type, users }, index) => ({
    type,
    ...(users === undefined
      ? {}
      : {
          userIds: users.map((name, at) => {
            const path = `securityRestrictions[${index}].users[${at}]`
            const { id } = requireUser(deps, name, path)
            requireInsider(insiders, id, name, path)
            return id
          }),
        }),
  }))
}
