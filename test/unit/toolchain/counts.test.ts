import { describe, expect, it } from 'vitest'
import {
  countPlaywright,
  countVitest,
  isSuccess,
  sum,
  sumLine,
  withExitCode,
} from '../../helpers/counts.mjs'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})

describe('counting the tests of a run', () => {
  it('counts a file that could not be loaded as failed, and a failed test once', () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [file('passed', 'passed'), file('failed', 'failed'), file('failed')],
    }
    expect(countVitest(report)).toEqual({ passed: 4, failed: 2, skipped: 3 })
  })

  it('counts a browser test that passed at the second try as passed', () => {
    const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }
    expect(countPlaywright({ stats })).toEqual({ passed: 4, failed: 1, skipped: 2 })
  })

  it.each([
    [0, 0],
    [1, 1],
    [null, 1],
  ])('takes exit code %s of a runner without failed tests as %i failed', (exitCode, failed) => {
    const counts = { passed: 5, failed: 0, skipped: 0 }
    expect(withExitCode(counts, exitCode)).toEqual({ ...counts, failed })
  })

  it('adds no failure to those a runner has reported itself', () => {
    const counts = { passed: 5, failed: 2, skipped: 0 }
    expect(withExitCode(counts, 1)).toEqual(counts)
  })

  it('sums up runners, naming skipped tests only where there are any', () => {
    const first = { passed: 2, failed: 0, skipped: 0 }
    expect(sumLine(sum([first, first]))).toBe('4 passed, 0 failed')
    expect(sumLine(sum([first, { passed: 1, failed: 1, skipped: 3 }]))).toBe(
      '3 passed, 1 failed, 3 skipped',
    )
  })

  it('is no success when nothing ran', () => {
    expect(isSuccess({ passed: 1, failed: 0, skipped: 1 })).toBe(true)
    expect(isSuccess({ passed: 1, failed: 1, skipped: 0 })).toBe(false)
    expect(isSuccess({ passed: 0, failed: 0, skipped: 9 })).toBe(false)
  })
})
