import { describe, expect, test } from 'vitest'
import {
  JobDetail,
  JobItem,
  JobList,
  ScheduledJobItem,
  ScheduledJobList,
} from '../../server/contract/control-jobs.ts'
import { expectInvalid, expectNotFound, expectShape, controlWorld } from '../helpers/control.ts'

const world = controlWorld()
const { call, read, make } = world

test('a job is recorded with its log, and executed only with --run-jobs', async () => {
  const made = await make(JobItem, 'jobs', {
    user: 'alice',
    namespace: 'acme',
    dockerImage: 'python:3.12',
    command: ['python', '-c', 'print(1)'],
    environment: { A: 'b' },
  })
  expect(made).toMatchObject({
    namespace: 'acme',
    owner: { username: 'acme' },
    executed: false,
    flavor: 'cpu-basic',
  })
  const one = await read(JobDetail, `jobs/${made.id}`)
  expect(one.stage).toBe('COMPLETED')
  expect(one.logs.map(({ line }) => line).join('\n')).toContain('--run-jobs')
  await read(JobList, 'jobs')
  const count = async (query: string) => (await read(JobList, `jobs?${query}`)).items.length
  expect(await count('namespace=ACME')).toBe(1)
  expect(await count('namespace=alice')).toBe(0)
  expect(await count('stage=RUNNING')).toBe(0)
  expect((await call('DELETE', `jobs/${made.id}`)).status).toBe(200)
})

test('invalid and unknown jobs are refused', async () => {
  const make = (body: object) => call('POST', 'jobs', body)
  expectInvalid(await make({ user: 'alice' }), ['dockerImage'])
  expectInvalid(await make({ user: 'nobody', dockerImage: 'x' }), ['user'])
  expectInvalid(await make({ user: 'alice', namespace: 'nowhere', dockerImage: 'x' }), [
    'namespace',
  ])
  expectInvalid(await make({ user: 'alice', dockerImage: 'x', flavor: 'moon' }), ['flavor'])
  for (const method of ['GET', 'DELETE'] as const) {
    expectNotFound(await call(method, 'jobs/none'))
  }
})

describe('scheduled jobs', () => {
  const job = { user: 'alice', dockerImage: 'python:3.12', schedule: '0 9 * * *' }
  const schedule = (body: object = {}) =>
    call<ScheduledJobItem>('POST', 'scheduled-jobs', { ...job, ...body })

  test('run on the sandbox clock, are suspended, resumed, run by hand and deleted', async () => {
    await call('POST', 'clock', { set: '2030-01-01T08:00:00Z' })
    const made = await schedule({ namespace: 'acme', command: ['python', 'x.py'] })
    expect(made.status).toBe(201)
    expectShape(ScheduledJobItem, made.body)
    expect(made.body).toMatchObject({
      namespace: 'acme',
      creator: { username: 'alice' },
      nextRunAt: '2030-01-01T09:00:00.000Z',
      suspend: false,
    })
    const path = `scheduled-jobs/${made.body.id}`
    const state = () => read(ScheduledJobItem, path)
    await call('POST', 'clock', { advance: '2h' })
    await expect.poll(async () => (await state()).lastJob?.stage).toBe('COMPLETED')
    expect((await state()).nextRunAt).toBe('2030-01-02T09:00:00.000Z')

    expect((await call('PATCH', path, { suspend: true })).body).not.toHaveProperty('nextRunAt')
    expect((await call('PATCH', path, { suspend: false, schedule: '@hourly' })).body).toMatchObject(
      {
        schedule: '@hourly',
        nextRunAt: '2030-01-01T11:00:00.000Z',
      },
    )
    const run = await make(JobItem, `${path}/run`)
    expect((await state()).lastJob?.id).toBe(run.id)
    const list = await read(ScheduledJobList, 'scheduled-jobs?namespace=ACME')
    expect(list.items).toHaveLength(1)
    expect((await call('DELETE', path)).status).toBe(200)
    expectNotFound(await call('GET', path))
  })

  test('with mistakes are refused at their fields', async () => {
    expectInvalid(await schedule({ schedule: 'daily' }), ['schedule'])
    expectInvalid(await schedule({ dockerImage: '' }), ['dockerImage'])
    expectInvalid(await schedule({ namespace: 'nowhere' }), ['namespace'])
  })

  test('are facts when they change, so that a watching page knows of it', async () => {
    const facts: string[] = []
    world.sandbox.deps.bus.on('schedule.changed', ({ data }) => facts.push(data.scheduledJobId))
    const { id } = (await schedule()).body
    await call('PATCH', `scheduled-jobs/${id}`, { suspend: true })
    await call('DELETE', `scheduled-jobs/${id}`)
    expect(facts).toEqual([id, id, id])
  })
})
