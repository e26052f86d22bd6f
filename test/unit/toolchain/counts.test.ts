import { describe, expect, test } from 'vitest'
import {
  countPlaywright,
  countVitest,
  isSuccess,
  sum,
  sumLine,
  troubleLine,
  troublesOfPlaywright,
  troublesOfVitest,
  withExitCode,
} from '../../helpers/counts.mjs'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})

describe('naming the tests of a run that failed', () => {
  test('names those that failed, that passed at the second try, and files that could not be loaded', () => {
    const report = {
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [
        {
          status: 'failed',
          name: 'a.test.ts',
          assertionResults: [
            { status: 'passed', fullName: 'is well', failureMessages: [] },
            { status: 'passed', fullName: 'is slow', failureMessages: ['Error: late\n  at x'] },
            {
              status: 'failed',
              fullName: 'is ill',
              failureMessages: ['\u001B[31mError: no\u001B[39m'],
            },
          ],
        },
        { status: 'failed', name: 'b.test.ts', message: 'no such module', assertionResults: [] },
      ],
    }
    expect(troublesOfVitest(report).map(troubleLine)).toEqual([
      'flaky: a.test.ts › is slow: Error: late',
      'failed: a.test.ts › is ill: Error: no',
      'failed: b.test.ts: no such module',
    ])
  })

  test('finds those of the browser in the suites of suites', () => {
    const of = (title: string, status: string, message?: string) => ({
      title,
      file: 'a.spec.ts',
      tests: [{ status, results: [message === undefined ? {} : { error: { message } }, {}] }],
    })
    const stats = { expected: 1, unexpected: 1, flaky: 1, skipped: 0 }
    const suites = [
      { specs: [of('opens', 'expected')], suites: [{ specs: [of('closes', 'unexpected', 'no')] }] },
      { specs: [of('waits', 'flaky', 'late')] },
    ]
    expect(troublesOfPlaywright({ stats, suites }).map(troubleLine)).toEqual([
      'failed: a.spec.ts › closes: no',
      'flaky: a.spec.ts › waits: late',
    ])
  })
})

describe('counting the tests of a run', () => {
  test('counts a file that could not be loaded as failed, and a failed test once', () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [file('passed', 'passed'), file('failed', 'failed'), file('failed')],
    }
    expect(countVitest(report)).toEqual({ passed: 4, failed: 2, skipped: 3 })
  })

  test('counts a browser test that passed at the second try as passed', () => {
    const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }
    expect(countPlaywright({ stats })).toEqual({ passed: 4, failed: 1, skipped: 2 })
  })

  test.each([
    [0, 0],
    [1, 1],
    [null, 1],
  ])('takes exit code %s of a runner without failed tests as %i failed', (exitCode, failed) => {
    const counts = { passed: 5, failed: 0, skipped: 0 }
    expect(withExitCode(counts, exitCode)).toEqual({ ...counts, failed })
  })

  test('adds no failure to those a runner has reported itself', () => {
    const counts = { passed: 5, failed: 2, skipped: 0 }
    expect(withExitCode(counts, 1)).toEqual(counts)
  })

  test('sums up runners, naming skipped tests only where there are any', () => {
    const first = { passed: 2, failed: 0, skipped: 0 }
    expect(sumLine(sum([first, first]))).toBe('4 passed, 0 failed')
    expect(sumLine(sum([first, { passed: 1, failed: 1, skipped: 3 }]))).toBe(
      '3 passed, 1 failed, 3 skipped',
    )
  })

  test('is no success when nothing ran', () => {
    expect(isSuccess({ passed: 1, failed: 0, skipped: 1 })).toBe(true)
    expect(isSuccess({ passed: 1, failed: 1, skipped: 0 })).toBe(false)
    expect(isSuccess({ passed: 0, failed: 0, skipped: 9 })).toBe(false)
  })
})
