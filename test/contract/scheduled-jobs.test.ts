import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { omitUndefined } from '../../server/core/omit-undefined.ts'
import { startSandbox } from '../../server/index.ts'
import { callerAt } from '../helpers/cast.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const jobSpec = { dockerImage: 'python:3.12', command: ['python'], secrets: { KEY: 'hush' } }
const schedules = '/api/scheduled-jobs/alice'
const noon = '2026-03-01T12:00:00.000Z'

interface Scheduled {
  id: string
  suspend: boolean
  status: { lastJob: { id: string; at: string } | null; nextJobRunAt: string | null }
}

async function start(
  file: FixturesFile = {},
  data?: string,
  runJobs?: Readonly<Record<string, string>>,
) {
  const fixtures: FixturesFile = {
    users: [
      { username: 'alice', tokens: [{ token: 'hf_sandbox_alice', role: 'write' }] },
      { username: 'bob', tokens: [{ token: 'hf_sandbox_bob', role: 'write' }] },
    ],
    clock: { now: noon, frozen: true },
    ...file,
  }
  const sandbox = await startSandbox({ fixtures, ...omitUndefined({ data, runJobs }) })
  onTestFinished(() => sandbox.close())
  const alice = callerAt(sandbox, 'hf_sandbox_alice')
  const create = (body: object = {}) =>
    alice.post<Scheduled>(schedules, { jobSpec, schedule: '@hourly', ...body })
  const read = async (id: string) => (await alice.get<Scheduled>(`${schedules}/${id}`)).body
  const runs = async () => (await alice.get<object[]>('/api/jobs/alice')).body
  return { sandbox, alice, create, read, runs }
}

test('a job runs when the sandbox clock reaches its schedule', async () => {
  const { sandbox, create, read, runs, alice } = await start()
  const { body: made } = await create({ schedule: '30 12 * * *' })
  expect(made).toMatchObject({
    schedule: '30 12 * * *',
    suspend: false,
    concurrency: false,
    jobSpec: { dockerImage: 'python:3.12', flavor: 'cpu-basic', secrets: ['KEY'] },
    status: { lastJob: null, nextJobRunAt: '2026-03-01T12:30:00.000Z' },
    owner: { name: 'alice', type: 'user' },
  })
  await sandbox.clock.advance('29m')
  expect(await runs()).toEqual([])
  await sandbox.clock.advance('1m')
  await vi.waitFor(async () => expect(await runs()).toHaveLength(1))
  const [job] = await runs()
  expect(job).toMatchObject({ initiator: { type: 'scheduled-job', id: made.id } })
  expect((await read(made.id)).status).toMatchObject({
    lastJob: { id: (job as unknown as Scheduled).id, at: '2026-03-01T12:30:00.000Z' },
    nextJobRunAt: '2026-03-02T12:30:00.000Z',
  })
  expect((await alice.delete(`${schedules}/${made.id}`)).status).toBe(200)
  expect((await alice.get(`${schedules}/${made.id}`)).status).toBe(404)
})

test('runs that a moved clock has passed are made up by one, and time set back plans again', async () => {
  const { sandbox, create, read, runs } = await start()
  const { body: made } = await create()
  await sandbox.clock.advance('3d')
  await vi.waitFor(async () => expect(await runs()).toHaveLength(1))
  expect((await read(made.id)).status.nextJobRunAt).toBe('2026-03-04T13:00:00.000Z')
  await sandbox.clock.set(noon)
  expect((await read(made.id)).status.nextJobRunAt).toBe('2026-03-01T13:00:00.000Z')
  expect(await runs()).toHaveLength(1)
})

test('a suspended job does not run until it is resumed', async () => {
  const { sandbox, create, read, runs, alice } = await start()
  const { body: made } = await create({ suspend: true })
  const { body: other } = await create({ schedule: '@hourly' })
  expect(made.status.nextJobRunAt).toBeNull()
  await sandbox.clock.advance('1h')
  await vi.waitFor(async () => expect((await read(other.id)).status.lastJob).not.toBeNull())
  expect(await runs()).toHaveLength(1)
  await alice.post(`${schedules}/${made.id}/resume`)
  expect((await read(made.id)).status.nextJobRunAt).toBe('2026-03-01T14:00:00.000Z')
  await alice.post(`${schedules}/${made.id}/schedule`, { schedule: '@daily' })
  expect((await read(made.id)).status.nextJobRunAt).toBe('2026-03-02T00:00:00.000Z')
  await alice.post(`${schedules}/${made.id}/suspend`)
  expect(await read(made.id)).toMatchObject({ suspend: true, status: { nextJobRunAt: null } })
})

test('a run by hand leaves the schedule, and is refused during another run', async () => {
  const { sandbox, create, read, alice } = await start()
  const { body: made } = await create()
  const run = () => alice.post<{ id: string }>(`${schedules}/${made.id}/run`)
  const { status, body: job } = await run()
  expect(status).toBe(200)
  expect((await read(made.id)).status).toMatchObject({
    lastJob: { id: job.id },
    nextJobRunAt: '2026-03-01T13:00:00.000Z',
  })
  // Recorded jobs are over at once.
  expect((await run()).status).toBe(200)
  const running = await startSandbox({
    runJobs: { '*': `"${process.execPath}" -e "setInterval(() => {}, 1000)"` },
  })
  onTestFinished(() => running.close())
  const other = callerAt(running, 'hf_sandbox_alice')
  const { id } = (await other.post<Scheduled>(schedules, { jobSpec, schedule: '@hourly' })).body
  expect((await other.post(`${schedules}/${id}/run`)).status).toBe(200)
  expect((await other.post(`${schedules}/${id}/run`)).status).toBe(409)
  expect(sandbox.url).not.toBe(running.url)
})

test('a scheduled job runs after a restart', async () => {
  const data = temporaryDirectory()
  const first = await start({}, data)
  const { body: made } = await first.create()
  await first.sandbox.close()
  const second = await start({}, data)
  await second.sandbox.clock.advance('1h')
  await vi.waitFor(async () => expect(await second.runs()).toHaveLength(1))
  expect((await second.read(made.id)).status.nextJobRunAt).toBe('2026-03-01T14:00:00.000Z')
})

describe('runs that were missed while the sandbox was stopped', () => {
  const at = (time: string) => vi.useFakeTimers({ now: Date.parse(time), toFake: ['Date'] })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are made up by one for each schedule, at the next start', async () => {
    const data = temporaryDirectory()
    at(noon)
    const first = await start({ clock: {} }, data)
    const { body: hourly } = await first.create()
    const { body: suspended } = await first.create({ suspend: true })
    const { body: later } = await first.create({ schedule: '@monthly' })
    await first.sandbox.close()

    at('2026-03-03T12:30:00.000Z')
    const second = await start({ clock: {} }, data)
    await vi.waitFor(async () => expect(await second.runs()).toHaveLength(1))
    expect(await second.runs()).toMatchObject([{ initiator: { id: hourly.id } }])
    expect((await second.read(hourly.id)).status.nextJobRunAt).toBe('2026-03-03T13:00:00.000Z')
    // Resumed is not missed: its next run is the next one of the schedule.
    await second.alice.post(`${schedules}/${suspended.id}/resume`)
    expect((await second.read(suspended.id)).status).toEqual({
      lastJob: null,
      nextJobRunAt: '2026-03-03T13:00:00.000Z',
    })
    expect((await second.read(later.id)).status).toEqual({
      lastJob: null,
      nextJobRunAt: '2026-04-01T00:00:00.000Z',
    })
    await second.sandbox.close()

    // The one that was made up is not made up again.
    at('2026-03-03T12:40:00.000Z')
    const third = await start({ clock: {} }, data)
    await third.sandbox.idle()
    expect(await third.runs()).toHaveLength(1)
  })
})

test.each([
  ['skipped', false, 1],
  ['started, if runs may overlap', true, 2],
])('a run that is due during another one is %s', async (_what, concurrency, expected) => {
  const forever = `"${process.execPath}" -e "setInterval(() => {}, 1000)"`
  const { sandbox, create, runs, read } = await start({}, undefined, { '*': forever })
  const { body: made } = await create({ concurrency })
  for (const hour of [1, 2]) {
    await sandbox.clock.advance('1h')
    const next = `2026-03-01T${13 + hour}:00:00.000Z`
    await vi.waitFor(async () => expect((await read(made.id)).status.nextJobRunAt).toBe(next))
  }
  expect(await runs()).toHaveLength(expected)
})

test('fixtures hold scheduled jobs, and a reset plans them anew', async () => {
  const { sandbox, alice, runs } = await start({
    scheduledJobs: [{ namespace: 'alice', ...jobSpec, schedule: '0 13 * * *' }],
  })
  const list = async () => (await alice.get<Scheduled[]>(schedules)).body
  const [loaded] = await list()
  expect(loaded?.status.nextJobRunAt).toBe('2026-03-01T13:00:00.000Z')
  await sandbox.clock.advance('1h')
  await vi.waitFor(async () => expect(await runs()).toHaveLength(1))
  await sandbox.reset()
  expect(await list()).toEqual([loaded])
  expect(await runs()).toEqual([])
  await sandbox.clock.advance('1h')
  await vi.waitFor(async () => expect(await runs()).toHaveLength(1))
})

test('labels filter the list, and only members see it', async () => {
  const { sandbox, create, alice } = await start()
  const { body: made } = await create({ jobSpec: { ...jobSpec, labels: { team: 'a' } } })
  await create()
  const list = (query: string, user = alice) => user.get<Scheduled[]>(`${schedules}${query}`)
  expect((await list('?label=team=a')).body.map(({ id }) => id)).toEqual([made.id])
  await alice.put(`${schedules}/${made.id}/labels`, { labels: { team: 'b' } })
  expect((await list('?label=team=a')).body).toEqual([])
  const others = [callerAt(sandbox, 'hf_sandbox_bob'), callerAt(sandbox)]
  const statuses = others.map(async (user) => (await list('', user)).status)
  expect(await Promise.all(statuses)).toEqual([403, 401])
})

test.each([
  ['an array', []],
  ['null', null],
  ['no image', { jobSpec: {}, schedule: '@hourly' }],
  ['six fields', { jobSpec, schedule: '* * * * * *' }],
  ['a word', { jobSpec, schedule: '@reboot' }],
  ['a minute out of range', { jobSpec, schedule: '60 * * * *' }],
  ['a date that never comes', { jobSpec, schedule: '0 0 30 2 *' }],
  ['a date instead of fields', { jobSpec, schedule: '2026-12-01T00:00:00' }],
])('a scheduled job is refused: %s', async (_name, body) => {
  const { alice } = await start()
  const refused = await alice.post(schedules, body)
  expect(refused).toMatchObject({ status: 400, body: { error: expect.any(String) } })
})
