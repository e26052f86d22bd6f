import { createHash } from 'node:crypto'
import type { AuditRunItem, AuditVerdict } from '../../contract/control-audits.ts'
import {
  type AuditKind,
  type AuditOutcome,
  auditOutcomes,
} from '../../contract/words/audit-words.ts'
import { packageVersion } from '../../core/package-root.ts'
import { oneLine } from '../../core/terminal-text.ts'
import {
  type Gate,
  includesLevel,
  type Mistake,
  namedSources,
  plural,
  rank,
  type Report,
  reportExitCodes,
} from './report.ts'

/** Verdicts of an audit, with all that a report says about them. */
export interface Verdicts extends Pick<Report, 'tool' | 'startedAt' | 'problem'> {
  readonly kind: AuditKind
  /** Name of the app or URL of the receiver. */
  readonly subject: string
  /** Plan, or the name of a drill. */
  readonly plan: string
  readonly modules: readonly AuditVerdict[]
}

/** Makes the report of an audit. */
export function reportOfAudit(
  { startedAt, kind, subject, plan, problem, verdicts }: AuditRunItem,
  gate: Gate,
): Report {
  const tool = { name: 'hub-sandbox', version: packageVersion }
  return reportOfVerdicts(
    { tool, startedAt, kind, subject, plan, modules: verdicts, problem },
    gate,
  )
}

/** Outcomes of modules that could judge the program. Others neither pass nor fail it. */
const judged: ReadonlySet<AuditOutcome> = new Set(['passed', 'failed', 'tolerated'])

/** Makes the report of verdicts. */
export function reportOfVerdicts(content: Verdicts, gate: Gate): Report {
  const { tool, startedAt, subject, plan, modules, problem } = content
  const withOutcome = (outcome: AuditOutcome) => modules.filter((one) => one.outcome === outcome)
  const failed = withOutcome('failed').toSorted((a, b) => rank(a.level) - rank(b.level))
  const tolerated = withOutcome('tolerated')
  const silent = modules.filter(({ outcome }) => !judged.has(outcome))
  const counts = auditOutcomes.map((outcome) => [outcome, withOutcome(outcome).length] as const)
  const exitCode = exitCodeOf(content, gate)
  const summary = summaryOf(content, counts)
  return {
    tool,
    startedAt,
    audit: { subject, plan },
    checks: modules.map(({ module, level, title, fix, sources, outcome, observed, tookMs }) => ({
      id: module,
      level,
      certainty: 'certain',
      title,
      fix,
      sources,
      result: { outcome },
      tookMs,
      skipped: judged.has(outcome) ? undefined : `${outcome}: ${observed}`,
    })),
    mistakes: [...failed, ...tolerated].map((verdict) => mistakeOf(content, verdict, gate)),
    rest: [...tolerated, ...silent].map(({ module, outcome, observed }) => ({
      check: module,
      outcome,
      reason: observed,
    })),
    summary,
    hints: [],
    annotations: [summary],
    problem,
    exitCode,
    data: { ...content, summary: Object.fromEntries(counts), exitCode },
  }
}

/** @returns 1 also for an audit that ended early after a failure; 3 if no module judged anything */
function exitCodeOf({ modules, problem }: Verdicts, gate: Gate): number {
  if (modules.some((verdict) => isFailure(verdict, gate))) return reportExitCodes.failed
  if (problem !== undefined) return reportExitCodes.unusable
  return modules.some(({ outcome }) => judged.has(outcome))
    ? reportExitCodes.clean
    : reportExitCodes.nothingToJudge
}

function isFailure({ outcome, level }: AuditVerdict, gate: Gate): boolean {
  return outcome === 'failed' && includesLevel(gate, level)
}

function mistakeOf({ subject, kind }: Verdicts, verdict: AuditVerdict, gate: Gate): Mistake {
  const { module, outcome, level, title, expected, observed, evidence, fix, sources } = verdict
  return {
    check: module,
    level,
    certainty: 'certain',
    state: outcome === 'failed' ? 'open' : 'tolerated',
    isFailure: isFailure(verdict, gate),
    subject,
    title,
    details: [`Expected: ${expected}`, `Observed: ${observed}`],
    evidence: evidence.map(({ id, note }) => (id === undefined ? note : `${note} (${id})`)),
    fix,
    sources: namedSources(sources),
    notes: [],
    junit: { name: module, kind: `${level}, ${outcome}` },
    sarif: {
      program: { fullyQualifiedName: oneLine(subject), kind },
      fingerprint: createHash('sha256').update(`${module}\n${subject}`).digest('hex').slice(0, 16),
      more: {},
    },
    names: [],
  }
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
function summaryOf(
  { modules, problem }: Verdicts,
  counts: readonly (readonly [AuditOutcome, number])[],
): string {
  const parts = counts.flatMap(([outcome, count]) =>
    count > 0 ? [`${count} ${words[outcome]}`] : [],
  )
  const summary = `${plural(modules.length, 'module')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`
  if (problem !== undefined) return `${summary} The audit ended early: ${problem}`
  const hasJudged = modules.some(({ outcome }) => judged.has(outcome))
  return hasJudged ? summary : `Nothing was judged, which is no pass. ${summary}`
}
