import type { AuditVerdict } from '../../../contract/control-audits.ts'
import { type JunitCase, junitFile } from '../../../core/junit.ts'
import { cut } from '../../../core/xml.ts'
import {
  type AuditGate,
  type AuditReport,
  failsAudit,
  isJudged,
  partsOfVerdict,
} from './audit-report.ts'

/**
 * Renders an audit as a JUnit file: a case for each module. One that was not judged is skipped, with the reason. An audit
 * that ended early has an error, because a file without failures reads as a pass.
 */
export function auditJunit(report: AuditReport, gate: AuditGate): string {
  const { problem, startedAt } = report
  const name = `hub-sandbox audit of ${cut(report.subject, 200)}`
  const cases = [
    ...report.modules.map((verdict) => caseOf(verdict, gate)),
    ...(problem === undefined ? [] : [caseOfProblem(problem)]),
  ]
  return junitFile({ name, startedAt }, [{ name, cases }])
}

function caseOf(verdict: AuditVerdict, gate: AuditGate): JunitCase {
  const { module: name, outcome, level, tookMs, title, observed } = verdict
  const [area = ''] = name.split('/')
  const about = { name, area, tookMs }
  if (!isJudged(verdict)) {
    return { ...about, outcome: 'skipped', message: `${outcome}: ${observed}` }
  }
  if (outcome === 'passed') return { ...about, outcome: 'passed' }
  const { expected, observed: seen, evidence, fix, sources } = partsOfVerdict(verdict)
  const links = sources.map((source) => `${source.name}: ${source.url}`)
  const text = [`${level}, ${outcome}`, expected, seen, ...evidence, fix, ...links].join('\n')
  return failsAudit(verdict, gate)
    ? { ...about, outcome: 'failed', message: title, type: level, text }
    : { ...about, outcome: 'passed', text }
}

function caseOfProblem(message: string): JunitCase {
  return { name: 'the audit ended early', area: 'audit', outcome: 'error', message }
}
