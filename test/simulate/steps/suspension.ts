import { suspendedStatus } from '../../../server/contract/words/webhook-words.ts'
import type { World } from '../world/world.ts'
import { moveClock } from './sandbox.ts'
import type { Steps } from './step.ts'
import { receivers } from './webhooks.ts'

/** Events that a webhook needs to be suspended, with all retries of their deliveries. */
const mostEvents = 4000

/** As many deliveries fail in a row as suspend a webhook. */
async function fail(world: World): Promise<void> {
  await world.control('POST', 'events', {
    event: 'repo.content',
    repo: 'datasets/acme/corpus',
    mode: 'send',
    repeat: { times: 10 },
  })
  await moveClock(world, { untilIdle: true })
}

/** All receivers fail, and everybody waits until no retry is left. */
async function wearOut(world: World): Promise<void> {
  if (world.facts.hooks.every(({ standing }) => standing !== 'live')) return
  for (const receiver of receivers) world.network.setManner(receiver, 'failure')
  const work = { isOver: false }
  world.begin('wear the receivers out', () => fail(world).finally(() => (work.isOver = true)))
  for (let event = 0; event < mostEvents && !work.isOver; event++) {
    if (!(await world.scheduler.step(2000))) break
    if (world.isDead) return world.recover()
  }
}

/** Reads a webhook, which says why it is suspended. */
async function look(world: World): Promise<void> {
  const live = world.facts.hooks.filter(
    ({ standing, isChanging }) => standing === 'live' && !isChanging,
  )
  if (live.length === 0) return
  const hook = world.random.pick(live)
  const { changedAt } = hook
  const { epoch } = world.facts
  const reply = await world.control('GET', `webhooks/${hook.id}`)
  if (!world.facts.isSame(epoch) || reply.status !== 200 || world.hasFaults) return
  const { status, suspendedBecause = '' } = reply.json() as Record<string, string>
  if (status !== suspendedStatus || hook.isChanging || hook.changedAt !== changedAt) return
  hook.suspendedAt = world.scheduler.now
  if (suspendedBecause === '')
    world.fail('a suspended webhook sends nothing, and says why', `${hook.name} says nothing`)
}

export const suspensionSteps: Steps = {
  'wear the receivers out': { weight: 0.5, alone: true, run: wearOut },
  'look at a webhook': { weight: 0.4, run: look },
}
