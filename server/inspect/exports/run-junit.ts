import { type JunitCase, junitFile } from '../../core/junit.ts'
import { cut } from '../../core/xml.ts'
import { type RunCase, runSuites } from './run-cases.ts'

/** Name, start and real duration of a run. */
export interface RunHead {
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly seconds: number
}

const longestName = 300
/** Leaves room for the id of the case. */
const longestReason = 16_000

/**
 * Exports the cases of a run as a JUnit file. Cases with the same name are numbered in order, so that a reader can compare
 * runs.
 */
export function junitOf({ name, startedAt, seconds }: RunHead, cases: readonly RunCase[]): string {
  const isShown = (suite: RunCase['suite']) =>
    suite !== 'requests' || cases.some((one) => one.suite === suite)
  return junitFile(
    { name, startedAt, tookMs: seconds * 1000 },
    runSuites.filter(isShown).map((suite) => {
      const numbered = numberer()
      const ofSuite = cases.filter((one) => one.suite === suite)
      return {
        name: `hub-sandbox ${suite}`,
        cases: ofSuite.map((one) => caseOf(one, numbered(cut(one.name, longestName)))),
      }
    }),
  )
}

/** A case without a verdict is skipped. */
function caseOf(one: RunCase, name: string): JunitCase {
  const { id, suite, seconds, failure, waiting, aside, result } = one
  const about = { name, area: suite, tookMs: seconds * 1000 }
  if ((failure ?? waiting ?? aside) === undefined) return { ...about, outcome: 'passed' }
  const message = (failure ?? waiting ?? aside ?? '') || 'It did not end well.'
  if (failure === undefined)
    return { ...about, outcome: 'skipped', message: `${result}: ${message}` }
  const [type, what] =
    suite === 'deliveries'
      ? (['undelivered', 'Delivery'] as const)
      : (['refused', 'Sign-in'] as const)
  return {
    ...about,
    outcome: 'failed',
    message,
    type,
    text: `${cut(message, longestReason)}\n${what} ${id}`,
  }
}

/** Numbers repeated names: `(2)`, `(3)`. */
function numberer(): (name: string) => string {
  const seen = new Map<string, number>()
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  }
}
