import type {
  CreateOrganizationRequest,
  UpdateOrganizationRequest,
} from '../../contract/control-accounts.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { deleteCollection } from '../collections/collections.ts'
import { forgetMarksOn } from '../people/marks.ts'
import { deleteRepo } from '../repos/repos.ts'
import type { Organization, OrganizationMember } from '../../store/entities/account-entities.ts'
import { moveReposAlong, requireFreeAccountName } from './account-names.ts'
import { joinGroups } from './resource-groups.ts'
import { requireUser } from '../../store/lookups.ts'

/** @throws {Refusal} `conflict` when the name is taken; `invalid` for an unknown member */
export function createOrganization(deps: Deps, request: CreateOrganizationRequest): Organization {
  const { state, ids, clock, bus } = deps
  requireFreeAccountName(deps, request.name)
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
    members: readMembers(deps, request.members ?? [], 'members'),
    resourceGroups: readGroups(deps, request, []),
    securityRestrictions: readRestrictions(deps, request),
    createdAt: clock.now(),
  })
  bus.emit('account.changed', { kind: 'organization', id: organization.id })
  return organization
}

/**
 * Changes an organization. Lists replace the present ones; a new name moves its repos, too.
 * @throws {Refusal} `conflict` when the name is taken; `invalid` for an unknown member
 */
export function updateOrganization(
  deps: Deps,
  organization: Organization,
  request: UpdateOrganizationRequest,
): Organization {
  const { state, bus } = deps
  if (request.name !== undefined) requireFreeAccountName(deps, request.name, organization.id)
  const changed: Organization = {
    ...organization,
    name: request.name ?? organization.name,
    fullname: request.fullname ?? organization.fullname,
    plan: request.plan ?? organization.plan,
    canPay: request.canPay ?? organization.canPay,
    ...omitUndefined({
      billingMode: request.billingMode,
      defaultVisibility: request.defaultVisibility,
    }),
    members:
      request.members === undefined
        ? organization.members
        : readMembers(deps, request.members, 'members'),
    resourceGroups:
      request.resourceGroups === undefined
        ? organization.resourceGroups
        : readGroups(deps, request, organization.resourceGroups),
    securityRestrictions:
      request.securityRestrictions === undefined
        ? organization.securityRestrictions
        : readRestrictions(deps, request),
  }
  const resourceGroups = joinGroups(changed, organization.members)
  const updated = state.organizations.put({ ...changed, resourceGroups })
  if (updated.name !== organization.name) moveReposAlong(deps, organization.id, updated.name)
  bus.emit('account.changed', { kind: 'organization', id: organization.id })
  return updated
}

/**
 * Deletes an organization with its repos, collections and audit log.
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

function readGroups(
  deps: Deps,
  { resourceGroups = [] }: UpdateOrganizationRequest,
  present: Organization['resourceGroups'],
): Organization['resourceGroups'] {
  return resourceGroups.map(({ name, members }, index) => ({
    ...(present.find((group) => group.name === name) ?? {
      id: deps.ids.of('resource group').objectId(),
    }),
    name,
    members: readMembers(deps, members, `resourceGroups[${index}].members`),
  }))
}

function readRestrictions(
  deps: Deps,
  { securityRestrictions = [] }: UpdateOrganizationRequest,
): Organization['securityRestrictions'] {
  return securityRestrictions.map(({ type, users }, index) => ({
    type,
    ...(users === undefined
      ? {}
      : {
          userIds: users.map(
            (name, at) => requireUser(deps, name, `securityRestrictions[${index}].users[${at}]`).id,
          ),
        }),
  }))
}
