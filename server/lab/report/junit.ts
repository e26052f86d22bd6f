import { type JunitCase, junitFile } from '../../core/junit.ts'
import { cut } from '../../core/xml.ts'
import {
  failuresOf,
  type Gate,
  partsOf,
  type Report,
  type ReportedFinding,
  subjectOf,
} from './report.ts'

const name = 'hub-sandbox checks'

/**
 * Renders a report as a JUnit file: a case for each rule, or for each app that has broken it. A rule that had nothing to
 * judge is skipped. A finding that does not fail the gate passes, with its text as output.
 */
export function junitOf(report: Report, gate: Gate): string {
  const failures = failuresOf(report, gate)
  const cases = report.rules.flatMap((rule): JunitCase[] => {
    const [area = ''] = rule.id.split('/')
    const findings = report.findings.filter((finding) => finding.rule === rule.id)
    if (findings.length > 0) {
      return findings.map((finding) => caseOfFinding(finding, area, failures.has(finding)))
    }
    if (rule.judged > 0) return [{ name: rule.id, area, outcome: 'passed' }]
    const message = 'The run had nothing that this check could judge.'
    return [{ name: rule.id, area, outcome: 'skipped', message }]
  })
  return junitFile({ name, startedAt: report.startedAt }, [{ name, cases }])
}

function caseOfFinding(finding: ReportedFinding, area: string, isFailure: boolean): JunitCase {
  const { id, rule, level, certainty, ignored, isKnown } = finding
  const { title, times, evidence, fix, sources } = partsOf(finding)
  const text = [
    `${level}, ${certainty}, ${times}`,
    ...evidence,
    `Fix: ${fix}`,
    ...sources.map(({ name: source, url }) => `${source}: ${url}`),
    ...(ignored === undefined ? [] : [`Ignored: ${ignored.reason}`]),
    ...(isKnown === true ? ['In the baseline'] : []),
  ].join('\n')
  return {
    // GitLab drops all but the first of several cases with one name.
    name: `${rule}: ${cut(subjectOf(finding), 200)} (${id})`,
    area,
    text,
    ...(isFailure ? { outcome: 'failed', message: title, type: level } : { outcome: 'passed' }),
  }
}
