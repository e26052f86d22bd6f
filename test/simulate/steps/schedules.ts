import { users } from '../world/fixtures.ts'
import type { KnownSchedule } from '../world/job-facts.ts'
import { ConnectionLost, type Reply, type World } from '../world/world.ts'
import { jobSpec, noteJob } from './jobs.ts'
import type { Steps } from './step.ts'

const { token } = users.alice
const path = '/api/scheduled-jobs/acme'
const schedule = '@hourly'

async function create(world: World): Promise<void> {
  const { schedules } = world.facts.jobs
  if (schedules.filter(({ standing }) => standing !== 'gone').length >= 4) return
  const { epoch } = world.facts
  const suspend = world.random.chance(0.2)
  const json = { jobSpec: jobSpec(world), schedule, suspend, concurrency: world.random.chance(0.5) }
  const reply = await world.send(path, { method: 'POST', json, token })
  if (!world.facts.isSame(epoch) || reply.status >= 300) return
  schedules.push({
    id: (reply.json() as { id: string }).id,
    standing: 'live',
    isSuspended: suspend,
    isChanging: false,
    changes: 0,
    byHand: new Set(),
    doubts: 0,
    changedAt: world.scheduler.now,
  })
}

/** Does something to a schedule, one request at a time. */
async function change(
  world: World,
  request: (known: KnownSchedule) => Promise<Reply>,
  done: (known: KnownSchedule, reply: Reply) => void,
): Promise<void> {
  const found = world.facts.jobs.schedules.filter(
    ({ standing, isChanging }) => standing === 'live' && !isChanging,
  )
  if (found.length === 0) return
  const known = world.random.pick(found)
  const { epoch } = world.facts
  known.isChanging = true
  try {
    const reply = await request(known)
    if (!world.facts.isSame(epoch)) return
    if (reply.status < 300) done(known, reply)
    else if (reply.status >= 500 || reply.status === 404) known.standing = 'unsure'
  } catch (error) {
    if (error instanceof ConnectionLost) known.standing = 'unsure'
    throw error
  } finally {
    known.isChanging = false
    known.changedAt = world.scheduler.now
  }
}

const suspend = (world: World, isSuspended: boolean) =>
  change(
    world,
    (known) => {
      known.changes += 1
      known.isSuspended = undefined
      const way = isSuspended ? 'suspend' : 'resume'
      return world.send(`${path}/${known.id}/${way}`, { method: 'POST', token })
    },
    (known) => {
      known.isSuspended = isSuspended
    },
  )

/** New labels: its due times stay. */
const label = (world: World) =>
  change(
    world,
    ({ id }) =>
      world.send(`${path}/${id}/labels`, {
        method: 'PUT',
        json: { labels: { number: `${world.random.int(100)}` } },
        token,
      }),
    () => undefined,
  )

const remove = (world: World) =>
  change(
    world,
    ({ id }) => world.send(`${path}/${id}`, { method: 'DELETE', token }),
    (known) => {
      known.standing = 'gone'
    },
  )

/** Starts a job of a schedule beside its due times. */
const start = (world: World) =>
  change(
    world,
    (known) => {
      known.doubts += 1
      return world.send(`${path}/${known.id}/run`, { method: 'POST', token }).then((reply) => {
        if (reply.status < 500) known.doubts -= 1
        return reply
      })
    },
    (known, reply) => {
      const id = noteJob(world, reply)
      if (id !== undefined) known.byHand.add(id)
    },
  )

export const scheduleSteps: Steps = {
  'create a schedule': { weight: 0.7, run: create },
  'suspend a schedule': { weight: 0.2, run: (world) => suspend(world, true) },
  'resume a schedule': { weight: 0.3, run: (world) => suspend(world, false) },
  'label a schedule': { weight: 0.3, run: label },
  'delete a schedule': { weight: 0.15, run: remove },
  'start a scheduled job': { weight: 0.25, run: start },
}
