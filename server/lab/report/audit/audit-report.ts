import type { AuditRunItem, AuditVerdict } from '../../../contract/control-audits.ts'
import { type AdviceLevel, adviceLevels } from '../../../contract/words/advice-words.ts'
import {
  type AuditKind,
  type AuditOutcome,
  auditOutcomes,
} from '../../../contract/words/audit-words.ts'
import { plural, reportExitCodes } from '../report.ts'

/** Content of the report of an audit, whatever its format. */
export interface AuditReport {
  readonly tool: { readonly name: string; readonly version: string }
  /** ISO 8601. */
  readonly startedAt: string
  readonly kind: AuditKind
  /** Name of the app or URL of the receiver. */
  readonly subject: string
  /** Plan, or the name of a drill. */
  readonly plan: string
  readonly modules: readonly AuditVerdict[]
  /** Why the audit could not judge: something could not be reached. */
  readonly problem?: string | undefined
}

/** Makes the report of an audit. @param version of the sandbox */
export function auditReportOf(
  { startedAt, kind, subject, plan, problem, verdicts }: AuditRunItem,
  version: string,
): AuditReport {
  const tool = { name: 'hub-sandbox', version }
  return { tool, startedAt, kind, subject, plan, modules: verdicts, problem }
}

/** Verdicts that fail an audit: those of this level or a worse one; absent = none. */
export interface AuditGate {
  readonly level?: AdviceLevel | undefined
}

/** Outcomes that say something about the program. */
const judged: ReadonlySet<AuditOutcome> = new Set(['passed', 'failed', 'tolerated'])

/** Checks whether a verdict says something about the program: silence is no pass. */
export function isJudged({ outcome }: AuditVerdict): boolean {
  return judged.has(outcome)
}

/** Checks whether a verdict fails an audit. */
export function failsAudit({ outcome, level }: AuditVerdict, gate: AuditGate): boolean {
  if (outcome !== 'failed' || gate.level === undefined) return false
  return adviceLevels.indexOf(level) <= adviceLevels.indexOf(gate.level)
}

/**
 * Exit code of an audit.
 * @returns 1 also for an audit that ended early after a failure; 3 if no module judged anything
 */
export function exitCodeOfAudit({ modules, problem }: AuditReport, gate: AuditGate): number {
  if (modules.some((verdict) => failsAudit(verdict, gate))) return reportExitCodes.failed
  if (problem !== undefined) return reportExitCodes.unusable
  return modules.some(isJudged) ? reportExitCodes.clean : reportExitCodes.nothingToJudge
}

/** Verdicts that failed, the worst first. */
export function failures({ modules }: AuditReport): AuditVerdict[] {
  return modules
    .filter(({ outcome }) => outcome === 'failed')
    .toSorted((a, b) => adviceLevels.indexOf(a.level) - adviceLevels.indexOf(b.level))
}

/** Verdicts that say nothing about the program. */
export function notJudged({ modules }: AuditReport): AuditVerdict[] {
  return modules.filter((verdict) => !isJudged(verdict))
}

/** Counts of the outcomes. */
export function countOutcomes(modules: readonly AuditVerdict[]): Record<AuditOutcome, number> {
  const counts = auditOutcomes.map((outcome) => [
    outcome,
    modules.filter((one) => one.outcome === outcome).length,
  ])
  return Object.fromEntries(counts) as Record<AuditOutcome, number>
}

const words: Readonly<Record<AuditOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  tolerated: 'tolerated',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  'not-reached': 'not reached',
}

/** Counts as a sentence: `12 modules: 10 passed, 1 failed, 1 inconclusive.` */
export function auditSentence({ modules, problem }: AuditReport): string {
  const counts = countOutcomes(modules)
  const parts = auditOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${words[outcome]}`)
  const summary = `${plural(modules.length, 'module')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`
  if (problem !== undefined) return `${summary} The audit ended early: ${problem}`
  return modules.some(isJudged) ? summary : `Nothing was judged, which is no pass. ${summary}`
}

/** Heading of the report: `Audit of http://localhost:8000 (core)`. */
export function auditTitle({ subject, plan }: AuditReport): string {
  return `Audit of ${subject} (${plan})`
}

/** Lines that explain a verdict: what was expected, observed and how to fix it. */
export function partsOfVerdict({ expected, observed, evidence, fix, sources }: AuditVerdict) {
  return {
    expected: `Expected: ${expected}`,
    observed: `Observed: ${observed}`,
    evidence: evidence.map(({ id, note }) => (id === undefined ? note : `${note} (${id})`)),
    fix: `Fix: ${fix}`,
    sources: sources.map(({ name, section, url }) => ({ name: `${name}, ${section}`, url })),
  }
}
