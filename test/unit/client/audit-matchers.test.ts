import { expect, test } from 'vitest'
import type { AuditRunItem } from '../../../server/contract/control-types.ts'
import { appModules, assertPassed, auditMatchers } from '../../../server/client/audit-matchers.ts'

type Verdict = AuditRunItem['verdicts'][number]

function runOf(...verdicts: Partial<Verdict>[]): Pick<AuditRunItem, 'verdicts'> {
  const usual: Verdict = {
    module: 'id-token/nonce',
    outcome: 'passed',
    level: 'error',
    title: 'The nonce is of another sign-in.',
    expected: 'The app refuses the sign-in.',
    observed: 'The user is signed in.',
    fix: 'Compare it.',
    evidence: [{ id: 'r1', note: 'GET /oauth/userinfo 200 uses the token' }],
    sources: [],
    tookMs: 1,
  }
  return { verdicts: verdicts.map((verdict) => ({ ...usual, ...verdict })) }
}

const passes = (...input: Parameters<typeof auditMatchers.toHavePassed>) =>
  auditMatchers.toHavePassed(...input).pass

test('an audit has passed only if every module that concerns the app was judged', () => {
  expect(passes(runOf({}, { outcome: 'tolerated' }, { outcome: 'not-applicable' }))).toBe(true)
  expect(passes(runOf({}, { outcome: 'failed' }))).toBe(false)
  expect(passes(runOf({ outcome: 'failed' }, { outcome: 'inconclusive' }))).toBe(false)
  for (const outcome of ['inconclusive', 'not-reached'] as const) {
    expect(() => passes(runOf({}, { outcome }))).toThrow(`these judged nothing:\n  ${outcome}`)
  }
  expect(() => passes(runOf())).toThrow('nothing to judge: the audit ran no module')
})

test('failures below the level do not count', () => {
  const run = runOf({ outcome: 'failed', level: 'note' })
  expect(passes(run)).toBe(true)
  expect(passes(run, { level: 'note' })).toBe(false)
  expect(passes(runOf({ outcome: 'failed', level: 'warning' }), { level: 'error' })).toBe(true)
})

test('the message has the proof and the fix', () => {
  const { message } = auditMatchers.toHavePassed(runOf({ outcome: 'failed' }))
  expect(message()).toBe(
    `expected all modules to pass:
  error id-token/nonce: The nonce is of another sign-in. The user is signed in.
    GET /oauth/userinfo 200 uses the token
    Fix: Compare it.`,
  )
  expect(() => assertPassed(runOf({ outcome: 'failed' }))).toThrow('error id-token/nonce')
})

test('wrong arguments are refused', () => {
  // @ts-expect-error: a promise is no result
  expect(() => auditMatchers.toHavePassed(Promise.resolve(runOf({})))).toThrow('use .resolves')
  // @ts-expect-error: no such level
  expect(() => auditMatchers.toHavePassed(runOf({}), { level: 'fatal' })).toThrow('one of error')
  // @ts-expect-error: no such plan
  expect(() => appModules('cores')).toThrow('core')
})

test('modules are listed by plan, without those of devices', () => {
  const ids = appModules('core').map(({ id }) => id)
  expect(ids[0]).toBe('id-token/garbage')
  expect(ids.filter((id) => id.startsWith('device/'))).toEqual([])
  expect(appModules('full').length).toBeGreaterThan(ids.length)
  expect(appModules('oidf').map(({ id }) => id)).toContain('id-token/nonce')
})
