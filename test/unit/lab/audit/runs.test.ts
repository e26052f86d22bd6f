import { expect, test, vi } from 'vitest'
import { AuditProblem, createAudits, type PlannedAudit } from '../../../../server/lab/audit/runs.ts'
import { type ModuleDescription, verdictOf } from '../../../../server/lab/audit/verdict.ts'
import { realTime } from '../../../../server/app/system-time.ts'
import { createTestDeps } from '../../../helpers/deps.ts'

const module: ModuleDescription = {
  id: 'secret/missing',
  kind: 'receiver',
  plans: ['core'],
  title: 'The receiver works without the secret.',
  sends: 'no secret',
  expected: 'a refusal',
  level: 'error',
  fix: 'Compare the secret.',
  sources: [],
}
const second = { ...module, id: 'secret/wrong' }

const plan = (run: PlannedAudit['run'], more: Partial<PlannedAudit> = {}): PlannedAudit => ({
  kind: 'receiver',
  subject: 'http://localhost:8000/',
  key: 'http://localhost:8000/',
  plan: 'core',
  modules: [module, second],
  run,
  ...more,
})

const pass = verdictOf(module, { outcome: 'passed', observed: 'refused' }, 3)
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

test('an audit ends with verdicts for all modules', async () => {
  const { deps } = await createTestDeps()
  const states: string[] = []
  deps.bus.on('audit.progress', ({ data }) => states.push(`${data.state} ${data.done}`))
  const audits = createAudits(deps, realTime)
  const id = audits.start(
    plan(async ({ begin, add }) => {
      begin(module)
      add(pass)
    }),
  )
  await settled()
  expect(audits.get(id)).toMatchObject({
    state: 'finished',
    verdicts: [pass, { module: 'secret/wrong', outcome: 'not-reached' }],
  })
  expect(states).toEqual(['running 0', 'running 0', 'running 1', 'finished 2'])
})

test('an audit waits for the user, who continues or skips', async () => {
  const audits = createAudits((await createTestDeps()).deps, realTime)
  const heard: string[] = []
  const id = audits.start(
    plan(async ({ wait }) => {
      heard.push((await wait('Sign in.')).how, (await wait('Sign in again.')).how)
    }),
  )
  expect(audits.get(id)).toMatchObject({ state: 'waiting', waitsFor: 'Sign in.' })
  expect(audits.goOn(id, 'continued').state).toBe('running')
  await settled()
  audits.goOn(id, 'skipped')
  await settled()
  expect(heard).toEqual(['continued', 'skipped'])
  expect(() => audits.goOn(id, 'skipped')).toThrow('waits for nothing')
})

test('an audit that is stopped while it waits ends', async () => {
  const audits = createAudits((await createTestDeps()).deps, realTime)
  const id = audits.start(
    plan(async ({ wait }) => expect(await wait('Sign in.')).toEqual({ how: 'stopped' })),
  )
  expect(await audits.stop(id)).toMatchObject({
    state: 'stopped',
    verdicts: [{ outcome: 'not-reached' }, { outcome: 'not-reached' }],
  })
})

test('a problem breaks an audit, and a bug is reported as one', async () => {
  const audits = createAudits((await createTestDeps()).deps, realTime)
  const one = audits.start(
    plan(async () => {
      throw new AuditProblem('Connection refused.')
    }),
  )
  const other = audits.start(
    plan(
      async () => {
        throw new TypeError('x is undefined')
      },
      { key: 'other' },
    ),
  )
  await settled()
  expect(audits.get(one)).toMatchObject({ state: 'broken', problem: 'Connection refused.' })
  expect(audits.get(other).problem).toContain('The sandbox failed: x is undefined')
})

test('one audit of a program runs at a time', async () => {
  const audits = createAudits((await createTestDeps()).deps, realTime)
  const waiting = plan(async ({ wait }) => void (await wait('Sign in.')))
  const id = audits.start(waiting)
  // Audits of different apps exclude each other, too.
  expect(() => audits.start({ ...waiting, subject: 'Another app' })).toThrow(
    `Audit ${id} of http://localhost:8000/ is running.`,
  )
  audits.start({ ...waiting, key: 'other' })
  await audits.stop(id)
  audits.start(waiting)
  await audits.clear()
  expect(audits.list()).toEqual([])
})

test('a wait names its step for programs, and receives their result', async () => {
  const audits = createAudits((await createTestDeps()).deps, realTime)
  const heard: unknown[] = []
  const step = { name: 'probe', module: 'id-token/nonce' } as const
  const seen = { name: 'sign-in', module: 'id-token/nonce' } as const
  const id = audits.start(
    plan(async ({ wait }) => {
      heard.push(await wait('Say it.', { step }))
      // Goes on by itself.
      heard.push(await wait('Sign in.', { step: seen, until: Promise.resolve() }))
    }),
  )
  expect(audits.get(id)).toMatchObject({ state: 'waiting', step })
  audits.goOn(id, 'continued', { signedIn: false })
  await settled()
  expect(heard).toEqual([{ how: 'continued', signedIn: false }, { how: 'continued' }])
  expect(audits.get(id).step).toBeUndefined()
})

test('a followed audit ends when nobody has read it for a minute', async () => {
  const timers = new Set<{ act: () => void; ms: number }>()
  const fakeTime = {
    after(ms: number, act: () => void) {
      const timer = { ms, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
  const audits = createAudits((await createTestDeps()).deps, fakeTime)
  const waiting = plan(async ({ wait }) => void (await wait('Sign in.')), { isFollowed: true })
  const id = audits.start(waiting)
  const [first] = timers
  expect(first?.ms).toBe(60_000)
  expect(audits.get(id).state).toBe('waiting')
  const [second, ...more] = timers
  expect([second === first, more]).toEqual([false, []])
  second?.act()
  await settled()
  expect(audits.get(id).state).toBe('stopped')
  expect(timers.size).toBe(0)
})

test('a sign-in that cannot be watched is reported, and the audit goes on waiting', async () => {
  using emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const audits = createAudits((await createTestDeps()).deps, realTime)
  const step = { name: 'sign-in', module: 'id-token/nonce' } as const
  const until = Promise.reject(new Error('the state is closed'))
  const id = audits.start(plan(async ({ wait }) => void (await wait('Sign in.', { step, until }))))
  await expect
    .poll(() => emitWarning.mock.calls)
    .toEqual([[`waiting for a step of audit ${id} failed: the state is closed`]])
  expect(audits.get(id).state).toBe('waiting')
  await audits.stop(id)
})
