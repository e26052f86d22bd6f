import { userNames, users } from '../world/fixtures.ts'
import {
  type Caller,
  type Deed,
  may,
  mayCreate,
  mayManage,
  type Organization,
  type OwnRepo,
  type OwnToken,
} from '../world/organizations.ts'
import type { Reply, World } from '../world/world.ts'
import { change } from './change.ts'
import { sendCommit } from './hub.ts'
import { onOne } from './organizations.ts'
import type { Steps } from './step.ts'

/** Somebody with a token, or without any. */
function chooseCaller({ random }: World, { tokens }: Organization): Caller {
  const limit = random.chance(0.4) && tokens.length > 0 ? random.pick(tokens) : undefined
  if (limit !== undefined) return { user: limit.user, token: limit.token, limit }
  const user = random.pick(['alice' as const, 'alice' as const, ...userNames, undefined])
  return user === undefined ? {} : { user, token: users[user].token }
}

const nameOf = ({ user, limit }: Caller) => {
  if (limit === undefined) return user ?? 'somebody'
  const { only, permission } = limit
  return `${user} with a token for ${typeof only === 'string' ? only : only.name} (${permission})`
}

interface Place {
  readonly organization: Organization
  readonly repo: OwnRepo
  readonly caller: Caller
}

/** A new name, or one that another repo had before. */
function newNameIn({ random, scheduler }: World, { name: own, former, repos }: Organization) {
  const free = [...former.keys()].flatMap((key) => {
    const [namespace, name = ''] = key.split('/')
    return namespace === own && repos.every((repo) => repo.name !== name) ? [name] : []
  })
  const fresh = `own-${scheduler.count}-${random.int(1000)}`
  return random.chance(0.5) ? random.pick([fresh, ...free]) : fresh
}

async function createRepo(world: World, organization: Organization): Promise<void> {
  const { random } = world
  if (organization.repos.length >= 4) return
  const caller = chooseCaller(world, organization)
  const group = random.pick([...organization.groups, undefined])
  const name = newNameIn(world, organization)
  const isPrivate = random.chance(0.5)
  await change(world, organization, {
    request: () =>
      world.send('/api/repos/create', {
        method: 'POST',
        json: {
          type: 'model',
          name,
          organization: organization.name,
          private: isPrivate,
          ...(group && { resourceGroupId: group.id }),
        },
        ...caller,
      }),
    isAllowed: mayCreate(organization, group, caller),
    done: () => {
      organization.former.delete(`${organization.name}/${name}`)
      const creator = caller.user ?? 'alice'
      const requests = new Map()
      organization.repos.push({ name, isPrivate, gated: false, group, creator, requests })
    },
  })
}

/** Changes a repo with one of its writers' tokens, or with that of somebody who may not. */
function changeRepo(world: World, { organization, repo, caller }: Place): Promise<boolean> {
  const { random } = world
  const path = `/api/${organization.pathOf(repo)}`
  const isWriter = may(organization, repo, caller, 'write')
  const set = (settings: object, done: () => void) => ({
    request: () => world.send(`${path}/settings`, { method: 'PUT', json: settings, ...caller }),
    isAllowed: isWriter,
    done,
  })
  const isPrivate = random.chance(0.5)
  const gated = random.pick([false, 'auto', 'manual', 'manual'] as const)
  const group = random.pick([...organization.groups, undefined])
  const wishes = [
    set({ private: isPrivate }, () => (repo.isPrivate = isPrivate)),
    set({ gated }, () => (repo.gated = gated)),
    set({ gated }, () => (repo.gated = gated)),
    {
      request: () =>
        world.send(`${path}/resource-group`, {
          method: 'POST',
          json: { resourceGroupId: group?.id ?? null },
          ...caller,
        }),
      isAllowed: mayManage(organization, caller),
      done: () => (repo.group = group),
    },
  ]
  return change(world, organization, random.pick(wishes))
}

/** Asks for access to a gated repo, withdraws the request, grants it or decides on it. */
async function passGate(world: World, { organization, repo, caller }: Place): Promise<void> {
  const { random } = world
  const { requests, gated } = repo
  const user = random.pick(userNames)
  const path = organization.pathOf(repo)
  const post = (address: string, json: object) =>
    world.send(address, { method: 'POST', json, ...caller })
  const requestsPath = `/api/${path}/user-access-request`
  const isWriter = may(organization, repo, caller, 'write') && gated !== false
  const isUser = may(organization, repo, caller, 'ask')
  const own = caller.user ?? 'alice'
  const status = random.pick(['accepted', 'rejected', 'pending'] as const)
  const known = requests.get(user)
  const wishes = [
    {
      request: () => post(`/${path.replace('models/', '')}/ask-access`, {}),
      isAllowed: isUser && requests.get(own) !== 'rejected',
      done: () => {
        if (!requests.has(own)) requests.set(own, gated === 'auto' ? 'accepted' : 'pending')
      },
    },
    {
      request: () => post(`${requestsPath}/cancel`, {}),
      isAllowed: isUser && requests.get(own) === 'pending',
      done: () => void requests.delete(own),
    },
    {
      request: () => post(`${requestsPath}/handle`, { user, status }),
      isAllowed: isWriter && known !== undefined && known !== status,
      done: () => void requests.set(user, status),
    },
    {
      request: () => post(`${requestsPath}/grant`, { user }),
      isAllowed: isWriter && known !== 'accepted',
      done: () => void requests.set(user, 'accepted'),
    },
  ]
  await change(world, organization, random.pick(wishes))
}

/** Creates a token that only reads, or only reaches one repo or the organization. */
async function limitToken(world: World, { organization, repo }: Place): Promise<void> {
  const { random } = world
  if (organization.tokens.length >= 6) return
  const user = random.pick(userNames)
  const only: OwnToken['only'] = random.pick(['reading', repo, 'organization'])
  const permission = random.pick(['repo.content.read', 'repo.write'] as const)
  const entity =
    only === repo
      ? { type: 'model', name: organization.pathOf(repo).replace('models/', '') }
      : { type: 'org', name: organization.name }
  const rights =
    only === 'reading'
      ? { role: 'read' }
      : {
          role: 'fineGrained',
          fineGrained: { scoped: [{ entity, permissions: [permission] }] },
        }
  await change(world, organization, {
    request: () => world.control('POST', 'tokens', { user, ...rights }),
    isAllowed: true,
    done: (reply) => {
      const { access_token: token } = reply.json() as { access_token: string }
      organization.tokens.push({ token, user, only, permission })
    },
  })
}

async function deleteRepo(world: World, { organization, repo, caller }: Place): Promise<void> {
  await change(world, organization, {
    request: () =>
      world.send('/api/repos/delete', {
        method: 'DELETE',
        json: { type: 'model', name: repo.name, organization: organization.name },
        ...caller,
      }),
    isAllowed: may(organization, repo, caller, 'write'),
    done: () => {
      organization.repos = organization.repos.filter((one) => one !== repo)
      for (const [name, one] of organization.former) {
        if (one === repo) organization.former.delete(name)
      }
    },
  })
}

/** The name of a repo is taken by another one: tokens for the first do not reach it. */
async function moveRepo(world: World, { organization, repo, caller }: Place): Promise<void> {
  const from = `${organization.name}/${repo.name}`
  const name = `own-${world.scheduler.count}-${world.random.int(1000)}`
  await change(world, organization, {
    request: () =>
      world.send('/api/repos/move', {
        method: 'POST',
        json: { type: 'model', fromRepo: from, toRepo: `${organization.name}/${name}` },
        ...caller,
      }),
    isAllowed: may(organization, repo, caller, 'write'),
    done: () => {
      organization.former.set(from, repo)
      repo.name = name
    },
  })
}

/** Sees, downloads or writes, which the rules allow or refuse. */
async function tryRight(world: World, { organization, repo, caller }: Place): Promise<void> {
  const deed: Deed = world.random.pick(['see', 'download', 'write', 'write'])
  const isAllowed = may(organization, repo, caller, deed)
  const isSeen = may(organization, repo, caller, 'see')
  const { changes } = organization
  const { epoch } = world.facts
  const path = organization.pathOf(repo)
  const file = { path: 'a.txt', text: `${world.random.int(1000)}\n` }
  const { token } = caller
  const reply: Reply =
    deed === 'write'
      ? await sendCommit(world, path, file, token ?? '')
      : await world.send(`/api/${path}${deed === 'download' ? '/auth-check' : ''}`, caller)
  if (!world.facts.isSame(epoch) || organization.standing !== 'live') return
  if (organization.changes !== changes || reply.status >= 500) return
  const isHidden = isSeen || [401, 404].includes(reply.status)
  if (reply.status < 300 === isAllowed && isHidden) return
  world.fail(
    'a right decides each request',
    `${nameOf(caller)} may ${isAllowed ? '' : 'not '}${deed} ${path}: ${reply.status} ${reply.text}`,
  )
}

const acts = [changeRepo, changeRepo, passGate, passGate, passGate, limitToken]

/** Works on a repo of an organization, and creates a repo if it has none. */
async function workOn(
  world: World,
  organization: Organization,
  work: (world: World, place: Place) => Promise<unknown>,
): Promise<void> {
  if (organization.isChanging || organization.standing !== 'live') return
  if (organization.repos.length === 0 || world.random.chance(0.1)) {
    await createRepo(world, organization)
  }
  if (organization.repos.length === 0 || organization.isChanging) return
  const repo = world.random.pick(organization.repos)
  await work(world, { organization, repo, caller: chooseCaller(world, organization) })
}

async function tryRights(world: World, organization: Organization): Promise<void> {
  const tries = Array.from({ length: 5 }, () => workOn(world, organization, tryRight))
  await Promise.all(tries)
}

export const rightSteps: Steps = {
  'change the rights on repos': {
    weight: 1.8,
    ...onOne(async (world, organization) => {
      for (let count = 0; count < 6; count++) {
        await workOn(world, organization, world.random.pick(acts))
        await tryRights(world, organization)
      }
    }),
  },
  'move a repo of an organization': {
    weight: 0.2,
    ...onOne((world, organization) => workOn(world, organization, moveRepo)),
  },
  'delete a repo of an organization': {
    weight: 0.1,
    ...onOne((world, organization) => workOn(world, organization, deleteRepo)),
  },
  'try rights': { weight: 0.6, ...onOne(tryRights) },
}
