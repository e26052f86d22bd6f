import { beforeEach, describe, expect, test } from 'vitest'
import { createJobs, type Jobs } from '../../../../server/hub/jobs/jobs.ts'
import { completeSpec } from '../../../../server/hub/jobs/job-spec.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'

let world: TestWorld
let jobs: Jobs
beforeEach(async () => {
  world = await createTestDeps({ runJobs: new Map([['long', 'sleep']]) })
  jobs = createJobs(world.deps, () => ({ end: new Promise(() => {}), kill: () => {} }))
})

function run(dockerImage: string, argument = ''): string {
  const { id, username: name } = world.users.alice
  return jobs.run({
    owner: { kind: 'user', id, name },
    spec: completeSpec({ dockerImage, arguments: [argument] }),
    initiator: { type: 'user', id },
    creatorId: id,
  }).id
}

describe('requested jobs', () => {
  test('the last thousand jobs are kept with their logs, and all that run', () => {
    const running = run('long')
    const first = run('short')
    for (let count = 0; count < 998; count++) run('short')
    expect(world.state.jobs.size).toBe(1000)
    expect(jobs.logs.read(first)).not.toEqual([])
    const last = run('short')
    expect(world.state.jobs.size).toBe(1000)
    expect(world.state.jobs.has(first)).toBe(false)
    expect(jobs.logs.read(first)).toEqual([])
    expect([running, last].map((id) => world.state.jobs.has(id))).toEqual([true, true])
  })

  test('finished jobs over 32 MiB are deleted, the oldest first', () => {
    const running = run('long', 'x'.repeat(1024 * 1024))
    const [first, second] = [run('short', 'x'.repeat(1024 * 1024)), run('short')]
    for (let count = 0; count < 29; count++) run('short', 'x'.repeat(1024 * 1024))
    expect(world.state.jobs.has(first)).toBe(true)
    const last = run('short', 'x'.repeat(1024 * 1024))
    expect(world.state.jobs.has(first)).toBe(false)
    expect([running, second, last].map((id) => world.state.jobs.has(id))).toEqual([
      true,
      true,
      true,
    ])
  })
})
