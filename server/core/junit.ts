import { cut, escapeXml, xmlAttributes } from './xml.ts'

/** Longer texts are of no use, and some readers stop at 10 MB. */
const longestMessage = 1000
const longestText = 16 * 1024

/** A test case of a JUnit file. */
export interface JunitCase {
  readonly name: string
  /** Last part of the class name: `hub-sandbox.token`. */
  readonly area: string
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error'
  /** Reason, for each outcome but `passed`. */
  readonly message?: string
  /** Kind of a failure. */
  readonly type?: string
  /** Details of a failure, or output of a passed case. */
  readonly text?: string
  readonly tookMs?: number
}

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

/**
 * Renders suites as a JUnit file: valid XML 1.0 for any content.
 * @param run `startedAt` in ISO 8601; `tookMs` default: the sum of the cases
 */
export function junitFile(
  run: { name: string; startedAt: string; tookMs?: number },
  suites: readonly JunitSuite[],
): string {
  const all = countsOf(suites.flatMap(({ cases }) => cases))
  const time = run.tookMs === undefined ? all.time : secondsOf(run.tookMs)
  // In UTC without zone, as readers of JUnit files expect.
  const timestamp = run.startedAt.slice(0, 19)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes({ name: run.name, ...all, time })}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite${xmlAttributes({ name, ...countsOf(cases), timestamp })}>`,
      ...cases.flatMap(linesOf),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function countsOf(cases: readonly JunitCase[]) {
  const count = (wanted: JunitCase['outcome']) =>
    cases.filter(({ outcome }) => outcome === wanted).length
  return {
    tests: cases.length,
    failures: count('failed'),
    errors: count('error'),
    skipped: count('skipped'),
    time: secondsOf(cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0)),
  }
}

function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function linesOf(one: JunitCase): string[] {
  const { name, area, tookMs = 0 } = one
  const opening = `    <testcase${xmlAttributes({ name, classname: `hub-sandbox.${area}`, time: secondsOf(tookMs) })}`
  const inner = elementOf(one)
  return inner === undefined
    ? [`${opening}/>`]
    : [`${opening}>`, `      ${inner}`, '    </testcase>']
}

function elementOf({ outcome, message = '', type, text }: JunitCase): string | undefined {
  const inside = escapeXml(cut(text ?? '', longestText))
  const reason = { message: cut(message, longestMessage) }
  switch (outcome) {
    case 'passed':
      return text === undefined ? undefined : `<system-out>${inside}</system-out>`
    case 'failed':
      return `<failure${xmlAttributes({ ...reason, type: type ?? '' })}>${inside}</failure>`
    default:
      return `<${outcome === 'error' ? 'error' : 'skipped'}${xmlAttributes(reason)}/>`
  }
}
