import { expect, test } from 'vitest'
import { experimentsOf, scoreOf } from '../../../renderer/features/faults/model/run-all.ts'

const verdict = (state: 'armed' | 'watching' | 'passed' | 'failed' | 'unclear') => ({
  verdict: { state, text: '' },
})

test('the score counts the last verdicts, and adds up to the experiments', () => {
  const items = [
    ...(['armed', 'watching', 'passed', 'passed', 'failed', 'unclear'] as const).map(verdict),
    {},
  ]
  const score = scoreOf(items)
  expect(score).toEqual({ passed: 2, failed: 1, unclear: 1, running: 2, notRun: 1 })
  expect(Object.values(score).reduce((sum, count) => sum + count)).toBe(items.length)
  expect(scoreOf([])).toEqual({ passed: 0, failed: 0, unclear: 0, running: 0, notRun: 0 })
})

test('the demo app plays the experiments that it can; receivers are judged in any case', () => {
  const items = [
    { id: 'played', subject: 'app', demo: 'sign-in' },
    { id: 'own', subject: 'app' },
    { id: 'receiver', subject: 'receiver' },
  ] as const
  const ids = (player: 'demo' | 'own') => experimentsOf(items, player).map(({ id }) => id)
  expect(ids('demo')).toEqual(['played', 'receiver'])
  expect(ids('own')).toEqual(['played', 'own', 'receiver'])
})
