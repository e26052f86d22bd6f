import { redirectUri, type Role, scopes, type UserName, userNames } from '../world/fixtures.ts'
import type { Named } from '../world/facts.ts'
import type { Reply, World } from '../world/world.ts'
import type { Steps } from './step.ts'

type Kind = 'guests' | 'apps'
const pathOf = { guests: 'users', apps: 'apps' } as const

/** Creates a user or an app that is deleted again. */
async function create(world: World, kind: Kind): Promise<void> {
  if (world.facts[kind].length >= 4) return
  const number = world.random.int(10_000)
  const name = kind === 'guests' ? `guest-${number}` : `App ${number}`
  const { epoch } = world.facts
  const body =
    kind === 'guests'
      ? { username: name }
      : { name, public: true, redirectUris: [redirectUri], scopes }
  const reply = await world.control('POST', pathOf[kind], body)
  if (!world.facts.isSame(epoch) || reply.status !== 201) return
  const id = kind === 'guests' ? name : (reply.json() as { clientId: string }).clientId
  world.facts[kind].push({ id, standing: 'live', changedAt: world.scheduler.now })
}

/** Does something to a user or an app, of which nothing is certain until the response has come. */
async function change(
  world: World,
  kind: Kind,
  request: (one: Named) => Promise<Reply>,
  done: (one: Named) => void,
): Promise<void> {
  const live = world.facts[kind].filter(({ standing }) => standing === 'live')
  if (live.length === 0) return
  const one = world.random.pick(live)
  const { epoch } = world.facts
  one.standing = 'unsure'
  const reply = await request(one)
  if (!world.facts.isSame(epoch) || reply.status >= 300) return
  done(one)
  one.changedAt = world.scheduler.now
}

/** All tokens of a deleted user or app are void. */
function remove(world: World, kind: Kind): Promise<void> {
  return change(
    world,
    kind,
    (one) => {
      for (const grant of world.facts.grantsOf(one)) grant.standing = 'unsure'
      return world.control('DELETE', `${pathOf[kind]}/${one.id}`)
    },
    (one) => {
      world.facts[kind] = world.facts[kind].filter((other) => other !== one)
      for (const grant of world.facts.grantsOf(one)) {
        grant.standing = 'gone'
        grant.changedAt = world.scheduler.now
      }
    },
  )
}

/** A new name: the tokens stay valid. */
function rename(world: World): Promise<void> {
  const username = `guest-${world.random.int(10_000)}`
  return change(
    world,
    'guests',
    (one) => world.control('PATCH', `users/${one.id}`, { username }),
    (one) => {
      for (const grant of world.facts.grantsOf(one)) grant.user = username
      one.id = username
      one.standing = 'live'
    },
  )
}

async function changeMembers(world: World): Promise<void> {
  // Of two changes at once, nobody knows which one stays.
  if (world.facts.isChangingMembers) return
  const roles: [UserName, Role | undefined][] = userNames.map((user) => [
    user,
    user === 'alice' ? 'admin' : world.random.pick(['admin', 'write', 'read', undefined]),
  ])
  const { epoch } = world.facts
  world.facts.members = undefined
  world.facts.isChangingMembers = true
  world.facts.memberChanges += 1
  try {
    const reply = await world.control('PATCH', 'organizations/acme', {
      members: roles.flatMap(([user, role]) => (role === undefined ? [] : [{ user, role }])),
    })
    if (!world.facts.isSame(epoch) || reply.status !== 200) return
    const known = roles.flatMap(([user, role]) =>
      role === undefined ? [] : [[user, role] as const],
    )
    world.facts.members = { roles: new Map(known), changedAt: world.scheduler.now }
  } finally {
    world.facts.isChangingMembers = false
  }
}

/** The keys that apps read must have the one of a new ID token, at every time. */
async function rotateKeys(world: World): Promise<void> {
  const before = await world.control('POST', 'keys/rotate', {})
  const after = await world.send('/oauth/jwks')
  if (before.status !== 200 || after.status !== 200) return
  const { keys } = after.json() as { keys: readonly unknown[] }
  if (keys.length < 1) throw new Error('there is no key')
}

export const accountSteps: Steps = {
  'create a guest': { weight: 2, run: (world) => create(world, 'guests') },
  'delete a guest': { weight: 1, run: (world) => remove(world, 'guests') },
  'rename a guest': { weight: 1, run: rename },
  'create an app': { weight: 2, run: (world) => create(world, 'apps') },
  'delete an app': { weight: 1, run: (world) => remove(world, 'apps') },
  'change the members': { weight: 2, run: changeMembers },
  'rotate the keys': { weight: 0.5, run: rotateKeys },
}
