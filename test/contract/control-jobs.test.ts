import { expect, test } from 'vitest'
import { JobDetail, JobItem, JobList } from '../../server/contract/control-jobs.ts'
import { expectRefusal, expectShape, controlWorld } from '../helpers/control.ts'

const { call } = controlWorld()

test('a job is recorded with its log, and executed only with --run-jobs', async () => {
  const made = await call<JobItem>('POST', 'jobs', {
    user: 'alice',
    namespace: 'acme',
    dockerImage: 'python:3.12',
    command: ['python', '-c', 'print(1)'],
    environment: { A: 'b' },
  })
  expect(made.status).toBe(201)
  expectShape(JobItem, made.body)
  expect(made.body).toMatchObject({
    namespace: 'acme',
    owner: { username: 'acme' },
    executed: false,
    flavor: 'cpu-basic',
  })
  const one = await call<JobDetail>('GET', `jobs/${made.body.id}`)
  expectShape(JobDetail, one.body)
  expect(one.body.stage).toBe('COMPLETED')
  expect(one.body.logs.map(({ line }) => line).join('\n')).toContain('--run-jobs')
  expectShape(JobList, (await call('GET', 'jobs')).body)
  const count = async (query: string) =>
    (await call<JobList>('GET', `jobs?${query}`)).body.items.length
  expect(await count('namespace=ACME')).toBe(1)
  expect(await count('namespace=alice')).toBe(0)
  expect(await count('stage=RUNNING')).toBe(0)
  expect((await call('DELETE', `jobs/${made.body.id}`)).status).toBe(200)
})

test('invalid and unknown jobs are refused', async () => {
  const refused = { status: 400, error: 'invalid_request' }
  const make = (body: object) => call('POST', 'jobs', body)
  expectRefusal(await make({ user: 'alice' }), { ...refused, paths: ['dockerImage'] })
  expectRefusal(await make({ user: 'nobody', dockerImage: 'x' }), { ...refused, paths: ['user'] })
  expectRefusal(await make({ user: 'alice', namespace: 'nowhere', dockerImage: 'x' }), {
    ...refused,
    paths: ['namespace'],
  })
  expectRefusal(await make({ user: 'alice', dockerImage: 'x', flavor: 'moon' }), {
    ...refused,
    paths: ['flavor'],
  })
  for (const method of ['GET', 'DELETE'] as const) {
    expectRefusal(await call(method, 'jobs/none'), { status: 404, error: 'not_found' })
  }
})
