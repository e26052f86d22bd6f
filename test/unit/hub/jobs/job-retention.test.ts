import { beforeEach, describe, expect, test } from 'vitest'
import { createJobs, type Jobs } from '../../../../server/hub/jobs/jobs.ts'
import { completeSpec } from '../../../../server/hub/jobs/job-spec.ts'
import type { ProcessEnd } from '../../../../server/hub/jobs/run-process.ts'
import type { Job } from '../../../../server/store/entities/webhook-entities.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'

const mebibyte = 'x'.repeat(1024 * 1024)

let world: TestWorld
let jobs: Jobs
/** Ends the process that was started last. */
let end: (end: ProcessEnd) => void

beforeEach(async () => {
  world = await createTestDeps({ runJobs: new Map([['long', 'sleep']]) })
  jobs = createJobs(world.deps, () => ({
    end: new Promise((resolve) => (end = resolve)),
    kill: () => end({ kind: 'killed', signal: 'SIGKILL' }),
  }))
})

function run(dockerImage: string, argument = ''): Job {
  const { id, username: name } = world.users.alice
  return jobs.run({
    owner: { kind: 'user', id, name },
    spec: completeSpec({ dockerImage, arguments: [argument] }),
    initiator: { type: 'user', id },
    creatorId: id,
  })
}

const isKept = ({ id }: Job) => world.state.jobs.has(id)

describe('requested jobs', () => {
  test('the last thousand jobs are kept with their logs, and all that run', () => {
    const running = run('long')
    const first = run('short')
    for (let count = 0; count < 998; count++) run('short')
    expect(world.state.jobs.size).toBe(1000)
    expect(jobs.logs.read(first.id)).not.toEqual([])
    const last = run('short')
    expect(world.state.jobs.size).toBe(1000)
    expect(isKept(first)).toBe(false)
    expect(jobs.logs.read(first.id)).toEqual([])
    expect([running, last].map(isKept)).toEqual([true, true])
  })

  test('finished jobs over 64 MiB are deleted, the oldest first', () => {
    const running = run('long', mebibyte)
    const [first, second] = [run('short', mebibyte), run('short')]
    for (let count = 0; count < 62; count++) run('short', mebibyte)
    expect(isKept(first)).toBe(true)
    const last = run('short', mebibyte)
    expect(isKept(first)).toBe(false)
    expect([running, second, last].map(isKept)).toEqual([true, true, true])
  })

  test('logs count with the memory of each line', async () => {
    const talkative: Job[] = []
    // Each log has 4,000 empty lines, about 1.5 MiB.
    for (let count = 0; count < 50; count++) {
      const job = run('long')
      for (let line = 0; line < 4000; line++) jobs.logs.write(job.id, '')
      end({ kind: 'exited', code: 0 })
      await jobs.whenOver(job.id)
      talkative.push(job)
    }
    const last = run('short')
    expect(talkative.filter(isKept).length).toBeLessThan(45)
    expect([talkative[0], talkative[49], last].map((job) => job && isKept(job))).toEqual([
      false,
      true,
      true,
    ])
  })

  test('a hundred may run at once; one more is refused until one is over', async () => {
    for (let count = 0; count < 99; count++) run('long')
    const hundredth = run('long')
    expect(() => run('long')).toThrow(
      expect.objectContaining({
        code: 'overloaded',
        message: expect.stringContaining('config.caps.runningJobs'),
      }),
    )
    expect(world.state.jobs.size).toBe(100)
    expect(run('short').stage).toBe('COMPLETED')
    end({ kind: 'exited', code: 0 })
    await jobs.whenOver(hundredth.id)
    expect(run('long').stage).toBe('RUNNING')
  })

  test('labels are limited to 64 KiB', () => {
    const job = run('short')
    /** Labels that have so many bytes as JSON. */
    const labels = (length: number) => {
      const full = Object.fromEntries(
        Array.from({ length: 600 }, (_, index) => [`k${index + 1000}`, 'x'.repeat(98)]),
      )
      const rest = (length - JSON.stringify(full).length) / 8
      const more = Array.from({ length: 8 }, (_, index) => [
        `m${index}`,
        'x'.repeat((index === 0 ? Math.ceil(rest) : Math.floor(rest)) - ',"m0":""'.length),
      ])
      return { ...full, ...Object.fromEntries(more) } as Record<string, string>
    }
    expect(jobs.setLabels(job, labels(65_536)).spec.labels).toEqual(labels(65_536))
    expect(() => jobs.setLabels(job, labels(65_537))).toThrow(
      'The labels of a job are limited to 65536 bytes; these have 65537.',
    )
  })
})
