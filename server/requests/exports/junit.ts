import { cut, escapeXml, xmlAttributes } from '../../core/xml.ts'
import type { RunCase } from './run-cases.ts'

/** Name, start and real duration of a run. */
export interface RunHead {
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly seconds: number
}

const suites = ['sign-ins', 'deliveries'] as const

/** Longer texts are of no use, and some readers stop at 10 MB. */
const longestName = 300
const longestMessage = 1000
const longestText = 16 * 1024

/**
 * Exports the cases of a run as a JUnit file: valid XML 1.0 for any content. Cases with the same name are numbered in
 * order, so that a reader can compare runs.
 */
export function junitOf(run: RunHead, cases: readonly RunCase[]): string {
  const head = { name: run.name, ...countsOf(cases), time: run.seconds.toFixed(3) }
  const body = suites.map((suite) =>
    suiteOf(
      run,
      suite,
      cases.filter((it) => it.suite === suite),
    ),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(head)}>`,
    ...body.flat(),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteOf(run: RunHead, suite: RunCase['suite'], cases: readonly RunCase[]): string[] {
  const seconds = cases.reduce((sum, it) => sum + it.seconds, 0)
  const numbered = numberer()
  const head = {
    name: `hub-sandbox ${suite}`,
    ...countsOf(cases),
    time: seconds.toFixed(3),
    timestamp: timestampOf(run.startedAt),
  }
  return [
    `  <testsuite${xmlAttributes(head)}>`,
    ...cases.flatMap((it) => caseOf(it, numbered(cut(it.name, longestName)))),
    '  </testsuite>',
  ]
}

function caseOf({ id, suite, seconds, failure, waiting }: RunCase, name: string): string[] {
  const head = { name, classname: `hub-sandbox.${suite}`, time: seconds.toFixed(3) }
  const opening = `    <testcase${xmlAttributes(head)}`
  if (failure === undefined && waiting === undefined) return [`${opening}/>`]
  const text = (failure ?? waiting ?? '') || 'It did not end well.'
  const message = xmlAttributes({ message: cut(text, longestMessage) })
  const inner =
    failure === undefined
      ? `      <skipped${message}/>`
      : `      <failure${message} type="${suite === 'sign-ins' ? 'refused' : 'undelivered'}">${escapeXml(
          `${cut(text, longestText)}\n${suite === 'sign-ins' ? 'Sign-in' : 'Delivery'} ${id}`,
        )}</failure>`
  return [`${opening}>`, inner, '    </testcase>']
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

function countsOf(cases: readonly RunCase[]) {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter(({ waiting }) => waiting !== undefined).length
  return { tests: cases.length, failures, errors: 0, skipped }
}

/** Renders a time in UTC without zone, as readers of JUnit files expect. */
function timestampOf(iso: string): string {
  return iso.slice(0, 19)
}
