import { cut, escapeXml, xmlAttributes } from '../core/xml.ts'
import {
  failuresOf,
  type Gate,
  partsOf,
  type Report,
  type ReportedFinding,
  subjectOf,
} from './report.ts'

const longestMessage = 1000
const longestText = 16 * 1024
const suite = 'hub-sandbox checks'

/** A test case of a JUnit file. */
export interface Case {
  readonly name: string
  readonly area: string
  readonly inner: readonly string[]
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error'
  readonly tookMs?: number
}

/**
 * Renders a report as a JUnit file: a case for each rule, or for each app that has broken it. A rule that had nothing to
 * judge is skipped. A finding that does not fail the gate passes, with its text as output.
 */
export function junitOf(report: Report, gate: Gate): string {
  const failures = failuresOf(report, gate)
  const cases = report.rules.flatMap((rule): Case[] => {
    const [area = ''] = rule.id.split('/')
    const findings = report.findings.filter((finding) => finding.rule === rule.id)
    if (findings.length > 0) {
      return findings.map((finding) => caseOfFinding(finding, area, failures.has(finding)))
    }
    if (rule.judged > 0) return [{ name: rule.id, area, inner: [], outcome: 'passed' }]
    const message = 'The run had nothing that this check could judge.'
    const inner = [`<skipped${xmlAttributes({ message })}/>`]
    return [{ name: rule.id, area, inner, outcome: 'skipped' }]
  })
  return junitFile(suite, report.startedAt, cases)
}

/** Renders cases as a JUnit file with one suite. */
export function junitFile(name: string, startedAt: string, cases: readonly Case[]): string {
  const count = (wanted: Case['outcome']) =>
    cases.filter(({ outcome }) => outcome === wanted).length
  const counts = {
    tests: cases.length,
    failures: count('failed'),
    errors: count('error'),
    skipped: count('skipped'),
    time: secondsOf(cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0)),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes({ name, ...counts })}>`,
    `  <testsuite${xmlAttributes({ name, ...counts, timestamp: startedAt.slice(0, 19) })}>`,
    ...cases.flatMap(linesOf),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function linesOf({ name, area, inner, tookMs = 0 }: Case): string[] {
  const opening = `    <testcase${xmlAttributes({ name, classname: `hub-sandbox.${area}`, time: secondsOf(tookMs) })}`
  if (inner.length === 0) return [`${opening}/>`]
  return [`${opening}>`, ...inner.map((line) => `      ${line}`), '    </testcase>']
}

function caseOfFinding(finding: ReportedFinding, area: string, isFailure: boolean): Case {
  const { id, rule, level, certainty, ignored, isKnown } = finding
  const { title, times, evidence, fix, sources } = partsOf(finding)
  const text = [
    `${level}, ${certainty}, ${times}`,
    ...evidence,
    `Fix: ${fix}`,
    ...sources.map(({ name, url }) => `${name}: ${url}`),
    ...(ignored === undefined ? [] : [`Ignored: ${ignored.reason}`]),
    ...(isKnown === true ? ['In the baseline'] : []),
  ].join('\n')
  const inside = escapeXml(cut(text, longestText))
  // GitLab drops all but the first of several cases with one name.
  const name = `${rule}: ${cut(subjectOf(finding), 200)} (${id})`
  if (!isFailure) {
    return { name, area, inner: [`<system-out>${inside}</system-out>`], outcome: 'passed' }
  }
  const head = xmlAttributes({ message: cut(title, longestMessage), type: level })
  return { name, area, inner: [`<failure${head}>${inside}</failure>`], outcome: 'failed' }
}
