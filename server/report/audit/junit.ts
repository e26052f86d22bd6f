import type { AuditVerdict } from '../../contract/control-audits.ts'
import { cut, escapeXml, xmlAttributes } from '../../core/xml.ts'
import { type Case, junitFile } from '../junit.ts'
import {
  type AuditGate,
  type AuditReport,
  failsAudit,
  isJudged,
  partsOfVerdict,
} from './audit-report.ts'

const longestMessage = 1000
const longestText = 16 * 1024

/**
 * Renders an audit as a JUnit file: a case for each module. One that was not judged is skipped, with the reason. An audit
 * that ended early has an error, because a file without failures reads as a pass.
 */
export function auditJunit(report: AuditReport, gate: AuditGate): string {
  const { problem } = report
  const cases = [
    ...report.modules.map((verdict) => caseOf(verdict, gate)),
    ...(problem === undefined ? [] : [caseOfProblem(problem)]),
  ]
  return junitFile(`hub-sandbox audit of ${cut(report.subject, 200)}`, report.startedAt, cases)
}

function caseOf(verdict: AuditVerdict, gate: AuditGate): Case {
  const { module: name, outcome, level, tookMs, title, observed } = verdict
  const [area = ''] = name.split('/')
  const about = { name, area, tookMs }
  if (!isJudged(verdict)) {
    const message = cut(`${outcome}: ${observed}`, longestMessage)
    return { ...about, inner: [`<skipped${xmlAttributes({ message })}/>`], outcome: 'skipped' }
  }
  if (outcome === 'passed') return { ...about, inner: [], outcome: 'passed' }
  const { expected, observed: seen, evidence, fix, sources } = partsOfVerdict(verdict)
  const links = sources.map((source) => `${source.name}: ${source.url}`)
  const text = [`${level}, ${outcome}`, expected, seen, ...evidence, fix, ...links].join('\n')
  const inside = escapeXml(cut(text, longestText))
  if (!failsAudit(verdict, gate)) {
    return { ...about, inner: [`<system-out>${inside}</system-out>`], outcome: 'passed' }
  }
  const head = xmlAttributes({ message: cut(title, longestMessage), type: level })
  return { ...about, inner: [`<failure${head}>${inside}</failure>`], outcome: 'failed' }
}

function caseOfProblem(problem: string): Case {
  const message = cut(problem, longestMessage)
  const inner = [`<error${xmlAttributes({ message })}/>`]
  return { name: 'the audit ended early', area: 'audit', inner, outcome: 'error' }
}
