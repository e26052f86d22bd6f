import { type UserName, userNames, users } from '../world/fixtures.ts'
import {
  type Caller,
  type Group,
  mayManage,
  Organization,
  type OwnRole,
  type Roles,
  roles,
} from '../world/organizations.ts'
import type { World } from '../world/world.ts'
import { change } from './change.ts'
import { tokenExchangeGrant } from '../../../server/contract/words/oauth-words.ts'
import type { Steps } from './step.ts'

const alice: Caller = { user: 'alice', token: users.alice.token }

/** Organization that nobody changes at present; the first ones are created. */
export async function chooseOrganization(world: World): Promise<Organization | undefined> {
  const { facts, random } = world
  const live = facts.organizations.filter(({ standing }) => standing === 'live')
  if (live.length < 2) await create(world)
  const free = facts.organizations.filter(
    ({ standing, isChanging }) => standing === 'live' && !isChanging,
  )
  return free.length === 0 ? undefined : random.pick(free)
}

/** Members with a role each; some have none. */
function chooseRoles({ random }: World, of: readonly UserName[]): Roles {
  const chosen = of.map((user) => [user, random.pick([...roles, undefined])] as const)
  return new Map(chosen.flatMap(([user, role]) => (role === undefined ? [] : [[user, role]])))
}

/** Alice stays its administrator. */
const membersOf = (world: World): Roles =>
  new Map([...chooseRoles(world, userNames), ['alice', 'admin']])

const listOf = (of: ReadonlyMap<UserName, OwnRole>) =>
  [...of].map(([user, role]) => ({ user, role }))

interface Described {
  readonly id: string
  readonly resourceGroups: readonly { readonly id: string; readonly name: string }[]
}

async function create(world: World): Promise<void> {
  const { facts, random } = world
  if (facts.organizations.filter(({ standing }) => standing === 'live').length >= 4) return
  const own = membersOf(world)
  const group = chooseRoles(world, [...own.keys()])
  const guests = facts.guests.filter(({ standing }) => standing === 'live').slice(0, 2)
  const name = `org-${world.scheduler.count}-${random.int(1000)}`
  const { epoch } = facts
  const reply = await world.control('POST', 'organizations', {
    name,
    plan: 'enterprise',
    members: [...listOf(own), ...guests.map(({ id }) => ({ user: id, role: 'read' }))],
    resourceGroups: [
      {
        name: 'first',
        members: [...listOf(group), ...guests.map(({ id }) => ({ user: id, role: 'write' }))],
      },
    ],
  })
  if (!facts.isSame(epoch) || reply.status !== 201) return
  const { id, resourceGroups } = reply.json() as Described
  const groups = resourceGroups.map((one): Group => ({ ...one, roles: group }))
  const { now: changedAt } = world.scheduler
  facts.organizations.push(new Organization({ id, name, roles: own, groups, changedAt }))
}

const patch = (world: World, { name }: Organization, changes: object) =>
  world.control('PATCH', `organizations/${name}`, changes)

/** Its repos are found by their new names, and by the old ones until somebody takes them. */
async function rename(world: World, organization: Organization): Promise<void> {
  const before = organization.name
  const name = `org-${world.scheduler.count}-${world.random.int(1000)}`
  await change(world, organization, {
    request: () => patch(world, organization, { name }),
    done: () => {
      for (const repo of organization.repos) organization.former.set(`${before}/${repo.name}`, repo)
      organization.name = name
    },
  })
  if (organization.standing === 'live') await visit(world, organization)
}

/** Replaces the members: a former member is in no group. */
async function replaceMembers(world: World, organization: Organization): Promise<void> {
  const own = membersOf(world)
  await change(world, organization, {
    request: () => patch(world, organization, { members: listOf(own) }),
    done: () => {
      organization.roles = own
      for (const { roles: inside } of organization.groups) {
        for (const user of inside.keys()) if (!own.has(user)) inside.delete(user)
      }
    },
  })
}

/** Replaces the groups: repos of a former one are in none. */
async function replaceGroups(world: World, organization: Organization): Promise<void> {
  const kept = organization.groups.filter(() => world.random.chance(0.5))
  const wanted = [
    ...kept.map(({ name }) => name),
    ...(world.random.chance(0.5) ? [`group ${world.scheduler.count}`] : []),
  ].map((name) => ({ name, roles: chooseRoles(world, [...organization.roles.keys()]) }))
  await change(world, organization, {
    request: () =>
      patch(world, organization, {
        resourceGroups: wanted.map(({ name, roles: own }) => ({ name, members: listOf(own) })),
      }),
    done: (reply) => {
      const { resourceGroups } = reply.json() as Described
      organization.groups = resourceGroups.map(({ id, name }, index): Group => {
        const own = wanted[index]?.roles ?? new Map()
        const before = organization.groups.find((group) => group.id === id)
        if (before === undefined) return { id, name, roles: own }
        before.roles.clear()
        for (const [user, role] of own) before.roles.set(user, role)
        return before
      })
      leaveGroups(organization)
    },
  })
}

function leaveGroups({ repos, groups }: Organization): void {
  for (const repo of repos) {
    if (repo.group !== undefined && !groups.includes(repo.group)) repo.group = undefined
  }
}

/** Changes a role as a user of the Hub, who may be nobody to do so. */
async function changeRole(world: World, organization: Organization): Promise<void> {
  const { random } = world
  const user = random.pick(['bob', 'carol', 'mallory'] as const)
  const role = random.pick(roles)
  const actor = random.pick(userNames)
  const caller = { user: actor, token: users[actor].token }
  const path = `/api/organizations/${organization.name}`
  const group = random.chance(0.5) ? organization.groups[0] : undefined
  const isAllowed = mayManage(organization, caller) && organization.roles.has(user)
  if (group === undefined) {
    await change(world, organization, {
      request: () =>
        world.send(`${path}/members/${user}/role`, { method: 'PUT', json: { role }, ...caller }),
      isAllowed,
      done: () => void organization.roles.set(user, role),
    })
    return
  }
  const isLeaving = random.chance(0.3)
  const groupPath = `${path}/resource-groups/${group.id}/users`
  await change(world, organization, {
    request: () =>
      isLeaving
        ? world.send(`${groupPath}/${user}`, { method: 'DELETE', ...caller })
        : world.send(groupPath, { method: 'POST', json: { users: [{ user, role }] }, ...caller }),
    isAllowed: isAllowed && (!isLeaving || group.roles.has(user)),
    done: () => void (isLeaving ? group.roles.delete(user) : group.roles.set(user, role)),
  })
}

/** Deletes a group as its administrator: its repos stay, in no group. */
async function deleteGroup(world: World, organization: Organization): Promise<void> {
  const [group] = organization.groups
  if (group === undefined) return
  const path = `/api/organizations/${organization.name}/resource-groups/${group.id}`
  await change(world, organization, {
    request: () => world.send(path, { method: 'DELETE', ...alice }),
    isAllowed: true,
    done: () => {
      organization.groups = organization.groups.filter((one) => one !== group)
      leaveGroups(organization)
    },
  })
}

/** An app of the organization gets a token of a member without consent, and is given to another one. */
async function exchange(world: World, organization: Organization): Promise<void> {
  const clientSecret = `sandbox_secret_${world.scheduler.count}`
  let clientId = ''
  const isMade = await change(world, organization, {
    request: () =>
      world.control('POST', 'apps', {
        name: `App of ${organization.name}`,
        clientSecret,
        organization: organization.name,
        privileges: ['token-exchange'],
        scopes: ['openid', 'profile', 'read-repos'],
      }),
    isAllowed: true,
    done: (reply) => {
      clientId = (reply.json() as { clientId: string }).clientId
    },
  })
  if (!isMade) return
  await change(world, organization, {
    request: () =>
      world.send('/oauth/token', {
        method: 'POST',
        form: {
          grant_type: tokenExchangeGrant,
          subject_token: 'alice@example.com',
          subject_token_type: 'urn:huggingface:token-type:user-email',
        },
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        },
      }),
    isAllowed: true,
    done: (reply) => {
      organization.exchanged = (reply.json() as { access_token: string }).access_token
    },
  })
  await world.control('PATCH', `apps/${clientId}`, { organization: 'acme' })
}

/** Nothing of a deleted organization is left. */
async function remove(world: World, organization: Organization): Promise<void> {
  if (world.random.chance(0.5)) await exchange(world, organization)
  if (organization.isChanging || organization.standing !== 'live') return
  const { name, repos, exchanged } = organization
  const { epoch } = world.facts
  const { starts } = world
  const isGone = await change(world, organization, {
    request: () => world.control('DELETE', `organizations/${name}`),
    done: () => void (organization.standing = 'gone'),
  })
  if (!isGone) return
  for (const [token, path] of [
    [alice.token, `/api/organizations/${name}/overview`],
    ...repos.map((repo) => [alice.token, `/api/${organization.pathOf(repo)}`]),
    ...(exchanged === undefined ? [] : [[exchanged, '/oauth/userinfo']]),
  ]) {
    const { status } = await world.send(path ?? '', { ...(token !== undefined && { token }) })
    if (!world.facts.isSame(epoch) || world.starts !== starts) return
    if (status < 400) {
      world.fail(
        'an organization exists under its name until it is deleted',
        `${name} was deleted, and ${path} is answered with ${status}`,
      )
    }
  }
}

/** Reads it under its name, and a repo of it under a former one. */
async function visit(world: World, organization: Organization): Promise<void> {
  const { changes, name } = organization
  const { epoch } = world.facts
  const isSame = () =>
    world.facts.isSame(epoch) &&
    organization.changes === changes &&
    organization.standing === 'live'
  const fail = (problem: string) => {
    if (isSame()) world.fail('an organization exists under its name until it is deleted', problem)
  }
  const reply = await world.send(`/api/organizations/${name}/overview`, alice)
  if (reply.status !== 200) fail(`${name}: ${reply.status}`)
  const [former, repo] = [...organization.former].at(-1) ?? []
  if (former === undefined || repo === undefined || !isSame()) return
  const found = await world.send(`/api/models/${former}`, alice)
  const isThere = String(found.headers['location']).endsWith(organization.pathOf(repo))
  if (found.status < 500 && !isThere) fail(`${former} is answered with ${found.status}`)
}

/** Does something with an organization that a client may change now. */
export const onOne = (work: (world: World, organization: Organization) => Promise<void>) => ({
  run: async (world: World) => {
    const organization = await chooseOrganization(world)
    if (organization !== undefined) await work(world, organization)
  },
})

const acts = [replaceMembers, replaceGroups, changeRole, changeRole, deleteGroup, exchange]

async function changeOften(world: World, organization: Organization): Promise<void> {
  for (let count = 0; count < 6 && !organization.isChanging; count++) {
    await world.random.pick(acts)(world, organization)
  }
}

export const organizationSteps: Steps = {
  'create an organization': { weight: 0.3, run: create },
  'change an organization': { weight: 1, ...onOne(changeOften) },
  'rename an organization': { weight: 0.4, ...onOne(rename) },
  'delete an organization': { weight: 0.2, ...onOne(remove) },
  'visit an organization': { weight: 0.5, ...onOne(visit) },
}
