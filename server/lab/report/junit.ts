import { groupBy } from '../../core/group-by.ts'
import { type JunitCase, junitFile } from '../../core/junit.ts'
import { cut } from '../../core/xml.ts'
import type { Mistake, Report, ReportedCheck } from './report.ts'

/**
 * Renders a report as a JUnit file: a case for each check or module, or for each program with the mistake. A check that
 * judged nothing is skipped. A mistake that does not fail the gate passes, with its text as output. A report that is
 * incomplete has an error, because a file without failures reads as a pass.
 */
export function junitOf(report: Report): string {
  const { audit, startedAt, checks, problem } = report
  const name =
    audit === undefined ? 'hub-sandbox checks' : `hub-sandbox audit of ${cut(audit.subject, 200)}`
  const mistakes = groupBy(report.mistakes, ({ check }) => check)
  const cases = checks.flatMap((check) => casesOf(check, mistakes.get(check.id) ?? []))
  const end: JunitCase[] =
    problem === undefined
      ? []
      : [{ name: 'the audit ended early', area: 'audit', outcome: 'error', message: problem }]
  return junitFile({ name, startedAt }, [{ name, cases: [...cases, ...end] }])
}

function casesOf(check: ReportedCheck, mistakes: readonly Mistake[]): JunitCase[] {
  const { id, skipped, tookMs = 0 } = check
  const [area = ''] = id.split('/')
  if (mistakes.length > 0) return mistakes.map((one) => ({ area, tookMs, ...caseOf(one) }))
  const about = { name: id, area, tookMs }
  return skipped === undefined
    ? [{ ...about, outcome: 'passed' }]
    : [{ ...about, outcome: 'skipped', message: skipped }]
}

function caseOf(mistake: Mistake): Omit<JunitCase, 'area'> {
  const { junit, level, title, details, evidence, fix, sources, notes, isFailure } = mistake
  const links = sources.map(({ name, url }) => `${name}: ${url}`)
  const text = [junit.kind, ...details, ...evidence, `Fix: ${fix}`, ...links, ...notes].join('\n')
  return {
    name: junit.name,
    text,
    ...(isFailure ? { outcome: 'failed', message: title, type: level } : { outcome: 'passed' }),
  }
}
