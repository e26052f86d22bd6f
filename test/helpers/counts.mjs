import { stripVTControlCharacters } from 'node:util'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * A test that failed, or passed only when it was tried again.
 * @typedef {{ kind: 'failed' | 'flaky', test: string, message: string }} Trouble
 */

/**
 * The part of vitest's JSON report that is counted.
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {VitestFile[]} testResults
 */

/**
 * @typedef {object} VitestFile
 * @property {string} status
 * @property {string} [name] the file
 * @property {string} [message] why the file could not be loaded
 * @property {{ status: string, fullName?: string, failureMessages?: string[] }[]} assertionResults
 */

/**
 * The part of Playwright's JSON report that is counted.
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {PlaywrightSuite[]} [suites]
 */

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, tests: PlaywrightTest[] }[]} [specs]
 */

/** @typedef {{ status: string, results: { error?: { message?: string } }[] }} PlaywrightTest */

/**
 * A file that could not be loaded has no tests in the report; it counts as one that failed.
 * @param {VitestReport} report
 * @returns {Counts}
 */
export function countVitest(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @param {PlaywrightReport} report
 * @returns {Counts}
 */
export function countPlaywright({ stats }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }
}

/**
 * What a log is searched for, gathered where it ends.
 * @param {VitestReport} report
 * @returns {Trouble[]}
 */
export function troublesOfVitest({ testResults }) {
  return testResults.flatMap(({ status, name = '', message = '', assertionResults }) => {
    const tests = assertionResults.flatMap(
      ({ status: outcome, fullName, failureMessages = [] }) => {
        if (outcome !== 'failed' && (outcome !== 'passed' || failureMessages.length === 0))
          return []
        const kind = outcome === 'failed' ? 'failed' : 'flaky'
        return [trouble(kind, `${name} › ${fullName}`, failureMessages[0])]
      },
    )
    const isBroken = status === 'failed' && !tests.some(({ kind }) => kind === 'failed')
    return isBroken ? [...tests, trouble('failed', name, message)] : tests
  })
}

/**
 * @param {PlaywrightReport} report
 * @returns {Trouble[]}
 */
export function troublesOfPlaywright({ suites = [] }) {
  return suites.flatMap(troublesOfSuite)
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {Trouble[]}
 */
function troublesOfSuite({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ status, results }) => {
      if (status !== 'unexpected' && status !== 'flaky') return []
      const message = results.find(({ error }) => error !== undefined)?.error?.message
      return [trouble(status === 'flaky' ? 'flaky' : 'failed', `${file} › ${title}`, message)]
    }),
  )
  return [...own, ...suites.flatMap(troublesOfSuite)]
}

/**
 * @param {Trouble['kind']} kind
 * @param {string} test
 * @param {string} [message]
 * @returns {Trouble}
 */
function trouble(kind, test, message = '') {
  // Colours are for the place where it failed; this line is searched for.
  const [first = ''] = stripVTControlCharacters(message).split('\n')
  return { kind, test, message: first }
}

/** @param {Trouble} trouble */
export const troubleLine = ({ kind, test, message }) =>
  `${kind}: ${test}${message === '' ? '' : `: ${message}`}`

/**
 * A runner that ends badly without a failed test (an error outside of any test, a crash) has failed
 * once all the same.
 * @param {Counts} counts
 * @param {number | null} exitCode
 * @returns {Counts}
 */
export const withExitCode = (counts, exitCode) =>
  exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts

/**
 * @param {Counts[]} all
 * @returns {Counts}
 */
export const sum = (all) =>
  all.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )

/**
 * The last line of a run: `N passed, N failed`, and `, N skipped` when any were.
 * @param {Counts} counts
 */
export const sumLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * A run in which nothing ran has not succeeded.
 * @param {Counts} counts
 */
export const isSuccess = ({ passed, failed }) => failed === 0 && passed > 0
