import type { JobStage } from '../../../server/contract/words/job-words.ts'
import { users } from '../world/fixtures.ts'
import { image } from '../world/processes.ts'
import type { Reply, World } from '../world/world.ts'
import { steady } from './clients.ts'
import { sendCommit } from './hub.ts'
import type { Steps } from './step.ts'
import { createWebhook } from './webhooks.ts'

const { token } = users.alice
const path = '/api/jobs/acme'

export const jobSpec = (world: World) => ({
  dockerImage: world.random.chance(0.8) ? image : 'other',
  command: ['work'],
  environment: { SIZE: `${world.random.int(100)}` },
})

/** Notes what a response says of a job. */
export function noteJob(world: World, reply: Reply): string | undefined {
  if (reply.status >= 300) return undefined
  const { id, status } = reply.json() as { id: string; status: { stage: JobStage } }
  // While the disk is broken, a response to a reader does not wait for it.
  if (world.hasFaults) return id
  const before = world.facts.jobs.jobs.get(id)
  if (before?.stage !== status.stage) {
    world.facts.jobs.jobs.set(id, { stage: status.stage, changedAt: world.scheduler.now })
  }
  return id
}

async function run(world: World): Promise<void> {
  const { epoch } = world.facts
  const json = jobSpec(world)
  const reply = await world.send(path, { method: 'POST', json, token })
  if (world.facts.isSame(epoch)) noteJob(world, reply)
}

/** Asks for a job, or for its end. */
async function visit(world: World, way: '' | '/cancel'): Promise<void> {
  const { jobs } = world.facts.jobs
  if (jobs.size === 0) return
  const open = [...jobs].filter(([, { stage }]) => stage === 'RUNNING')
  const [id] = world.random.pick(way === '' || open.length === 0 ? [...jobs] : open)
  const { epoch } = world.facts
  const isSame = steady(world)
  const before = world.facts.jobs.jobs.get(id)
  const reply = await world.send(`${path}/${id}${way}`, {
    method: way === '' ? 'GET' : 'POST',
    token,
  })
  if (!world.facts.isSame(epoch)) return
  const isKnown = before !== undefined && world.facts.jobs.jobs.get(id) !== undefined
  if (isKnown && isSame() && reply.status === 404) {
    world.fail('a confirmed job is there, and goes forward only', `${id} is not found`)
  }
  noteJob(world, reply)
}

/** A job uses the token that it was given. It commits, which its own webhook hears of. */
async function useToken(world: World): Promise<void> {
  const { processes } = world
  const running = processes.all.filter(
    (one) => processes.isRunning(one) && one.secrets['HF_TOKEN'] !== undefined,
  )
  if (running.length === 0) return
  const own = world.random.pick(running).secrets['HF_TOKEN'] ?? ''
  const file = { path: 'job.txt', text: `${world.random.int(1000)}\n` }
  await sendCommit(world, 'datasets/acme/corpus', file, own)
}

/** A webhook that starts a job for each delivery, with a token of its own. */
const createJobWebhook = (world: World) =>
  createWebhook(world, () => ({
    job: { dockerImage: image, secrets: { HF_TOKEN: users.bob.token } },
  }))

export const jobSteps: Steps = {
  'create a job webhook': { weight: 0.7, run: createJobWebhook },
  'run a job': { weight: 0.6, run },
  'read a job': { weight: 0.4, run: (world) => visit(world, '') },
  'cancel a job': { weight: 0.5, run: (world) => visit(world, '/cancel') },
  'use the token of a job': { weight: 0.3, run: useToken },
}
