import { afterEach, expect, test } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import { type RunningSandbox, runSandbox } from '../../server/app/run-sandbox.ts'
import { controlFixtures } from '../helpers/control.ts'
import { sharedRsaKey } from '../helpers/deps.ts'

let running: RunningSandbox | undefined
afterEach(() => running?.close())

async function startSandbox(): Promise<RunningSandbox> {
  const signingKey = { ...(await sharedRsaKey()).export({ format: 'jwk' }) }
  const fixtures = { ...controlFixtures, config: { signingKey, seed: 7 } }
  return (running = await runSandbox(await resolveOptions({ fixtures, port: 0, ephemeral: true })))
}

/** Methods that end or continue the work of a service, called by a reset or a stop. */
const methods = {
  runAdvice: ['endSegment', 'close'],
  jobs: ['abandon', 'close'],
  objects: ['forget', 'close'],
  polls: ['clear'],
  guesses: ['clear'],
  limits: ['clear'],
  lfs: ['clear'],
  xet: ['clear'],
  requests: ['clear'],
  recordedRun: ['take'],
  adviceExceptions: ['clear'],
  audits: ['clear'],
  faults: ['clear'],
  barriers: ['clear'],
  frames: ['forgetCalls', 'clear'],
  demos: ['clear'],
  clock: ['reset', 'close'],
  bucketFeed: ['clear'],
  scheduledJobs: ['clear', 'takeUp'],
  links: ['follow', 'close'],
  engine: ['reset', 'close'],
  bus: ['emit'],
  temporaryWebhooks: ['clear'],
  segments: ['endBefore', 'close'],
  forks: ['close'],
  git: ['close'],
} as const

/** Records the calls of {@link methods}, and when the users are removed and added. */
function recordCalls({ deps }: RunningSandbox): string[] {
  const calls: string[] = []
  const record = (object: object, name: string, label: string) => {
    const methodsOf = object as Record<string, (...given: unknown[]) => unknown>
    const method = methodsOf[name]
    if (method === undefined) throw new Error(`there is no ${label}`)
    methodsOf[name] = function (this: unknown, ...given: unknown[]) {
      const isNoted = label !== 'bus.emit' || given[0] === 'sandbox.reset'
      if (isNoted && calls.at(-1) !== label) calls.push(label)
      return method.apply(this, given)
    }
  }
  for (const [service, names] of Object.entries(methods)) {
    const object = deps[service as keyof typeof methods]
    for (const name of names) record(object, name, `${service}.${name}`)
  }
  record(deps.state.users, 'clear', 'state.clear')
  record(deps.state.users, 'put', 'state.put')
  return calls
}

test('a reset ends the work of services, replaces the state and continues, in this order', async () => {
  const sandbox = await startSandbox()
  const calls = recordCalls(sandbox)
  sandbox.deps.reset()
  // From `state.put` on, the new state is taken up.
  expect(calls).toEqual([
    'runAdvice.endSegment',
    'barriers.clear',
    'demos.clear',
    'audits.clear',
    'adviceExceptions.clear',
    'requests.clear',
    'scheduledJobs.clear',
    'jobs.abandon',
    'frames.forgetCalls',
    'faults.clear',
    'guesses.clear',
    'polls.clear',
    'limits.clear',
    'xet.clear',
    'lfs.clear',
    'state.clear',
    'objects.forget',
    'clock.reset',
    'state.put',
    'bucketFeed.clear',
    'recordedRun.take',
    'links.follow',
    'scheduledJobs.takeUp',
    'engine.reset',
    'bus.emit',
  ])
})

test('a stop ends the work of services in this order', async () => {
  const sandbox = await startSandbox()
  const calls = recordCalls(sandbox)
  await sandbox.close()
  expect(calls).toEqual([
    'segments.close',
    'runAdvice.close',
    'barriers.clear',
    'temporaryWebhooks.clear',
    'demos.clear',
    'forks.close',
    'audits.clear',
    'engine.close',
    'scheduledJobs.clear',
    'jobs.close',
    'links.close',
    'frames.clear',
    'lfs.clear',
    'git.close',
    'clock.close',
    'objects.close',
  ])
})
