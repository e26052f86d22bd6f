import { users } from '../world/fixtures.ts'
import type { Hook } from '../world/facts.ts'
import { manners } from '../world/network.ts'
import { ConnectionLost, type World } from '../world/world.ts'
import type { Steps } from './step.ts'

export const receivers = ['one', 'two', 'three']

const receiver = (world: World) => ({
  url: `http://receiver.test/${world.random.pick(receivers)}`,
})

/** Creates a webhook. @param target its URL or job */
export async function createWebhook(world: World, target: () => object): Promise<void> {
  if (world.facts.hooks.filter(({ standing }) => standing !== 'gone').length >= 4) return
  const name = `hook-${world.scheduler.count}-${world.random.int(1_000_000)}`
  const to = target()
  const isOrdered = world.random.chance(0.4)
  const { epoch } = world.facts
  const reply = await world.control('POST', 'webhooks', {
    owner: 'alice',
    name,
    ...to,
    secret: name,
    watched: [{ type: 'org', name: 'acme' }],
    domains: ['repo', 'discussion'],
    ...(isOrdered && { order: 'ordered' }),
  })
  if (!world.facts.isSame(epoch) || reply.status !== 201) return
  world.facts.hooks.push({
    name,
    secret: name,
    id: (reply.json() as { id: string }).id,
    standing: 'live',
    isEnabled: true,
    suspendedAt: undefined,
    isChanging: false,
    isOrdered,
    expected: [],
    changedAt: world.scheduler.now,
  })
}

/** Changes a webhook, one request at a time; what is known of it is in doubt until the response has come. */
export async function changeWebhook(
  world: World,
  work: (hook: Hook, id: string) => Promise<boolean>,
): Promise<void> {
  const found = world.facts.hooks.filter(
    ({ standing, isChanging }) => standing === 'live' && !isChanging,
  )
  if (found.length === 0) return
  const hook = world.random.pick(found)
  const { epoch } = world.facts
  hook.isChanging = true
  try {
    const isDone = await work(hook, hook.id ?? '')
    if (!isDone && world.facts.isSame(epoch)) hook.standing = 'unsure'
  } catch (error) {
    if (error instanceof ConnectionLost) hook.standing = 'unsure'
    throw error
  } finally {
    hook.isChanging = false
    hook.changedAt = world.scheduler.now
  }
}

const enable = (world: World, isEnabled: boolean) =>
  changeWebhook(world, async (hook, id) => {
    hook.isEnabled = undefined
    hook.suspendedAt = undefined
    // It may have been suspended, and heard of nothing.
    hook.expected = []
    const way = isEnabled ? 'enable' : 'disable'
    const { token } = users.alice
    const reply = await world.send(`/api/settings/webhooks/${id}/${way}`, { method: 'POST', token })
    if (reply.status !== 200) return false
    hook.isEnabled = isEnabled
    return true
  })

async function remove(world: World): Promise<void> {
  await changeWebhook(world, async (hook, id) => {
    hook.isEnabled = undefined
    hook.suspendedAt = undefined
    hook.expected = []
    const reply = await world.send(`/api/settings/webhooks/${id}`, {
      method: 'DELETE',
      token: users.alice.token,
    })
    if (reply.status !== 200) return false
    hook.standing = 'gone'
    return true
  })
}

async function hold(world: World): Promise<void> {
  const held = world.random.chance(0.5)
  await changeWebhook(world, async (_hook, id) => {
    const reply = await world.control('PATCH', `webhooks/${id}`, { held })
    return reply.status === 200
  })
}

async function byHand(world: World): Promise<void> {
  const list = await world.control('GET', 'deliveries?limit=50&view=rows')
  if (list.status !== 200) return
  const { items } = list.json() as { items: { id: string }[] }
  if (items.length === 0) return
  const { id } = world.random.pick(items)
  await world.control('POST', `deliveries/${id}/${world.random.pick(['replay', 'cancel'])}`, {})
}

export const webhookSteps: Steps = {
  'create a webhook': { weight: 5, run: (world) => createWebhook(world, () => receiver(world)) },
  'disable a webhook': { weight: 2, run: (world) => enable(world, false) },
  'enable a webhook': { weight: 3, run: (world) => enable(world, true) },
  'delete a webhook': { weight: 1, run: remove },
  'hold or release a webhook': { weight: 3, run: hold },
  'replay or cancel': { weight: 4, run: byHand },
  'change a receiver': {
    weight: 6,
    async run(world) {
      world.network.setManner(world.random.pick(receivers), world.random.pick(manners))
    },
  },
}
