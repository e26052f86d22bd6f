import { beforeEach, expect, test } from 'vitest'
import { completeSpec } from '../../../../server/hub/jobs/job-spec.ts'
import { createJobs, type Jobs } from '../../../../server/hub/jobs/jobs.ts'
import type { ProcessEnd } from '../../../../server/hub/jobs/run-process.ts'
import type { Job } from '../../../../server/store/entities/webhook-entities.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'

let world: TestWorld
let jobs: Jobs
/** Ends of the processes, in the order of their starts. */
let processes: { end: (end: ProcessEnd) => void; fail: (error: Error) => void }[]

beforeEach(async () => {
  world = await createTestDeps({ runJobs: new Map([['long', 'sleep']]) })
  processes = []
  const runProcess = () => ({
    end: new Promise<ProcessEnd>((end, fail) => processes.push({ end, fail })),
    kill: () => undefined,
  })
  jobs = createJobs(world.deps, runProcess, { report: () => undefined })
})

function run(): Job {
  const { id, username: name } = world.users.alice
  return jobs.run({
    owner: { kind: 'user', id, name },
    spec: completeSpec({ dockerImage: 'long' }),
    initiator: { type: 'user', id },
    creatorId: id,
  })
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const isCancelled = { stage: 'CANCELED', message: 'The job was cancelled.' }

test('a cancelled job is over at once', () => {
  const job = jobs.cancel(run())
  expect(job).toMatchObject({ ...isCancelled, finishedAt: world.clock.now() })
})

test.each([
  ['its program ends with success', () => processes[0]?.end({ kind: 'exited', code: 0 })],
  ['its volumes cannot be stored', () => processes[0]?.fail(new Error('the disk is full'))],
])('a cancelled job stays cancelled when %s', async (_, happen) => {
  const { id, finishedAt } = jobs.cancel(run())
  world.clock.advance(1000)
  happen()
  await settled()
  expect(world.state.jobs.get(id)).toMatchObject({ ...isCancelled, finishedAt })
})

test('a process from before a reset does not end the job that has its id now', async () => {
  const job = run()
  jobs.abandon()
  world.state.jobs.delete(job.id)
  world.state.jobs.put(job)
  processes[0]?.end({ kind: 'exited', code: 0 })
  await settled()
  expect(world.state.jobs.get(job.id)).toEqual(job)
})

test('a full log from before a reset leaves the log of the job that has its id now empty', () => {
  const job = run()
  jobs.logs.write(job.id, 'x'.repeat(128 * 1024))
  jobs.abandon()
  world.state.jobLogs.clear()
  jobs.logs.write(job.id, 'new')
  expect(jobs.logs.read(job.id).map(({ text }) => text)).toEqual(['new'])
})
