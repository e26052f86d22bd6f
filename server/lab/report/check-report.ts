import type { Advice, AdviceFinding, AdviceRule } from '../../contract/control-advice.ts'
import type { AdviceLevel } from '../../contract/words/advice-words.ts'
import { packageVersion } from '../../core/package-root.ts'
import { cut } from '../../core/xml.ts'
import {
  type Gate,
  includesLevel,
  type Mistake,
  namedSources,
  plural,
  type Report,
  reportExitCodes,
  times,
} from './report.ts'

/** A finding in a report. */
export interface ReportedFinding extends AdviceFinding {
  /** Whether the baseline contains it. Such a finding never makes a report fail. */
  readonly isKnown?: boolean
}

/** Findings of checks, with all that a report says about them. */
export interface Findings extends Pick<Report, 'tool' | 'startedAt'> {
  /** The worst first. */
  readonly findings: readonly ReportedFinding[]
  /** Checks with the number of things that each could judge. */
  readonly rules: readonly (Omit<AdviceRule, 'exceptions'> & { readonly judged: number })[]
  readonly ignores: Advice['ignores']
  /** Findings that were left out, because there were too many. */
  readonly omitted: number
  /** Requests and attempts that were not judged, because they came in a pause. */
  readonly paused: number
  /** Ids in the baseline without a present finding. */
  readonly fixed: readonly string[]
  /** Resets and restores that a report of a whole run covers. */
  readonly resets?: number
}

/**
 * Collects the findings of the checks.
 * @param rules all checks
 * @param startedAt ISO 8601
 */
export function findingsOf(
  advice: Advice,
  rules: readonly AdviceRule[],
  startedAt: string,
): Findings {
  const judged = new Map(advice.rules.map((rule) => [rule.id, rule.judged]))
  return {
    tool: { name: 'hub-sandbox', version: packageVersion },
    startedAt,
    findings: advice.items,
    rules: rules.map((rule) => ({ ...rule, judged: judged.get(rule.id) ?? 0 })),
    ignores: advice.ignores,
    omitted: advice.omitted,
    paused: advice.paused,
    fixed: [],
  }
}

/** Makes the report of findings. */
export function reportOfFindings(content: Findings, gate: Gate): Report {
  const { tool, startedAt, findings, rules, paused } = content
  const failures = failuresOf(findings, gate)
  const hints = uselessIgnores(content)
  const exitCode = exitCodeOf(content, gate)
  return {
    tool,
    startedAt,
    checks: rules.map(({ judged, ...rule }) => ({
      ...rule,
      result: { judged },
      skipped: judged > 0 ? undefined : 'The run had nothing that this check could judge.',
    })),
    mistakes: findings.map((finding) => mistakeOf(finding, failures.has(finding))),
    rest: [],
    summary: summaryOf(content),
    hints,
    annotations: [...hints, ...(paused > 0 ? [pausedSentence(content)] : [])],
    exitCode,
    data: { ...content, summary: countsOf(content), exitCode },
  }
}

/** Name of the app or webhook that a finding is about. */
export function subjectOf({ app, webhook }: Pick<AdviceFinding, 'app' | 'webhook'>): string {
  return app?.name ?? webhook?.name ?? webhook?.url ?? webhook?.id ?? 'a client without an app'
}

/** Checks whether a finding counts: it is neither ignored nor in the baseline. */
function isOpen({ ignored, isKnown }: ReportedFinding): boolean {
  return ignored === undefined && isKnown !== true
}

/** Returns the findings that fail a check: those of the gate's level, and all warnings if there are too many. */
function failuresOf(
  findings: readonly ReportedFinding[],
  gate: Gate,
): ReadonlySet<ReportedFinding> {
  const open = findings.filter(isOpen)
  const warnings = open.filter(
    ({ level, certainty }) => level === 'warning' && certainty === 'certain',
  )
  const isTooMany = gate.maxWarnings !== undefined && warnings.length > gate.maxWarnings
  const failing = open.filter(
    ({ level, certainty }) =>
      includesLevel(gate, level) && (gate.likely === true || certainty === 'certain'),
  )
  return new Set(isTooMany ? [...failing, ...warnings] : failing)
}

/**
 * Returns the exit code of findings.
 * @returns 1 also for more warnings than the gate allows; 3 if no check had anything to judge
 */
export function exitCodeOf({ findings, rules }: Findings, gate: Gate): number {
  if (failuresOf(findings, gate).size > 0) return reportExitCodes.failed
  return rules.some(({ judged }) => judged > 0)
    ? reportExitCodes.clean
    : reportExitCodes.nothingToJudge
}

function mistakeOf(finding: ReportedFinding, isFailure: boolean): Mistake {
  const { id, rule, level, certainty, title, fix, sources, count, ignored, isKnown } = finding
  const { app, webhook, evidence, firstAt, lastAt } = finding
  const subject = subjectOf(finding)
  return {
    check: rule,
    level,
    certainty,
    state: isOpen(finding) ? 'open' : 'suppressed',
    isFailure,
    subject,
    count,
    title,
    details: [],
    evidence: evidence.map(({ id: about, line, note }) =>
      line === undefined ? `${about}: ${note}` : `${line} (${about}) ${note}`,
    ),
    fix,
    sources: namedSources(sources),
    notes: [
      ...(ignored === undefined ? [] : [`Ignored: ${ignored.reason}`]),
      ...(isKnown === true ? ['In the baseline'] : []),
    ],
    junit: {
      // GitLab drops all but the first of several cases with one name.
      name: `${rule}: ${cut(subject, 200)} (${id})`,
      kind: `${level}, ${certainty}, ${times(count)}`,
    },
    sarif: {
      program: {
        fullyQualifiedName: app?.clientId ?? webhook?.id ?? 'no app',
        kind: app === undefined && webhook !== undefined ? 'webhook' : 'app',
      },
      fingerprint: id,
      more: {
        occurrenceCount: count,
        provenance: { firstDetectionTimeUtc: firstAt, lastDetectionTimeUtc: lastAt },
        // Without a baseline, nothing is known to be new.
        ...(isKnown !== undefined && { baselineState: isKnown ? 'unchanged' : 'new' }),
        suppressions:
          ignored === undefined ? [] : [{ kind: 'external', justification: ignored.reason }],
      },
    },
    names: [app?.clientId, app?.name, webhook?.url],
  }
}

/** Counts of findings for a summary. */
function countsOf({ findings, rules, ignores, fixed }: Findings) {
  const open = findings.filter(isOpen)
  const atLevel = (level: AdviceLevel) => open.filter((finding) => finding.level === level).length
  return {
    error: atLevel('error'),
    warning: atLevel('warning'),
    note: atLevel('note'),
    judged: rules.filter(({ judged }) => judged > 0).length,
    notJudged: rules.filter(({ judged }) => judged === 0).length,
    ignored: findings.filter(({ ignored }) => ignored !== undefined).length,
    known: findings.filter(({ isKnown }) => isKnown === true).length,
    fixed: fixed.length,
    useless: ignores.filter((ignore) => ignore.findings === 0).length,
  }
}

/** Counts as a sentence: `20 of 50 checks had something to judge, 1 finding ignored.` */
function summaryOf(content: Findings): string {
  const { rules, omitted, paused, resets = 0 } = content
  const counts = countsOf(content)
  if (counts.judged === 0) {
    if (paused > 0) return `Nothing to check: ${pausedSentence(content)}`
    return 'Nothing to check: the sandbox has recorded no request of an app and no delivery.'
  }
  const parts = [
    `${counts.judged} of ${rules.length} checks had something to judge${resets > 0 ? ` over ${plural(resets, 'reset')}` : ''}`,
    ...(counts.ignored > 0 ? [`${plural(counts.ignored, 'finding')} ignored`] : []),
    ...(counts.known > 0 ? [`${plural(counts.known, 'finding')} in the baseline`] : []),
    ...(omitted > 0 ? [`${plural(omitted, 'more finding')} left out`] : []),
    ...(counts.fixed > 0 ? [`${counts.fixed} of the baseline gone`] : []),
  ]
  const sentence = `${parts.join(', ')}.`
  return paused > 0 ? `${sentence} ${pausedSentence(content)}` : sentence
}

/** Sentence about what no check has judged. An attempt of a delivery is a request, too. */
export function pausedSentence({ paused }: Pick<Findings, 'paused'>): string {
  return `${plural(paused, 'request')} came in a pause, which is not judged.`
}

/** Sentences about ignores that matched no finding. */
function uselessIgnores({ ignores }: Findings): string[] {
  return ignores
    .filter(({ findings }) => findings === 0)
    .map(
      ({ rule, app, webhook, reason }) =>
        `The ignore of ${rule}${[app, webhook].map((one) => (one === undefined ? '' : ` for ${one}`)).join('')} matches no finding (reason: ${reason}). Remove it.`,
    )
}
