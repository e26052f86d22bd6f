import type { Advice, AdviceFinding, AdviceRule } from '../../contract/control-advice.ts'
import { type AdviceLevel, adviceLevels } from '../../contract/words/advice-words.ts'

/** A finding in a report. */
export interface ReportedFinding extends AdviceFinding {
  /** Whether the baseline has it: then it fails nothing. */
  readonly isKnown?: boolean
}

/** A rule with what it had to judge. */
export interface ReportedRule extends Omit<AdviceRule, 'exceptions'> {
  readonly judged: number
}

/** Content of a report, whatever its format. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string }
  /** ISO 8601. */
  readonly startedAt: string
  /** The worst first. */
  readonly findings: readonly ReportedFinding[]
  readonly rules: readonly ReportedRule[]
  readonly ignores: Advice['ignores']
  /** Findings that were left out, because there were too many. */
  readonly omitted: number
  /** Requests and attempts that were not judged, because they came in a pause. */
  readonly paused: number
  /** Ids in the baseline that nothing had any more. */
  readonly fixed: readonly string[]
  /** Resets and restores that a report of a whole run covers. */
  readonly resets?: number
}

/** Findings that fail a check. */
export interface Gate {
  /** The level, or a worse one; absent = none. */
  readonly level?: AdviceLevel
  /** Whether likely findings of the level fail too. */
  readonly likely: boolean
  /** More warnings than this fail too; absent = any number is fine. */
  readonly maxWarnings?: number
}

/** Exit codes of `check` and of audits. */
export const reportExitCodes = { clean: 0, failed: 1, unusable: 2, nothingToJudge: 3 } as const

/** Name of the app or webhook that a finding is about. */
export function subjectOf({ app, webhook }: Pick<AdviceFinding, 'app' | 'webhook'>): string {
  return app?.name ?? webhook?.name ?? webhook?.url ?? webhook?.id ?? 'a client without an app'
}

/** Checks whether a finding counts: it is neither ignored nor in the baseline. */
export function isOpen({ ignored, isKnown }: ReportedFinding): boolean {
  return ignored === undefined && isKnown !== true
}

/** Returns the findings that count: all, the certain and the likely ones. */
export function openFindings({ findings }: Pick<Report, 'findings'>) {
  const open = findings.filter(isOpen)
  return {
    open,
    certain: open.filter(({ certainty }) => certainty === 'certain'),
    likely: open.filter(({ certainty }) => certainty === 'likely'),
  }
}

/** Returns the findings that fail a check: those of the gate's level, and all warnings if there are too many. */
export function failuresOf(
  { findings }: Pick<Report, 'findings'>,
  gate: Gate,
): ReadonlySet<ReportedFinding> {
  const warnings = findings.filter(
    (finding) => isOpen(finding) && finding.level === 'warning' && finding.certainty === 'certain',
  )
  const isTooMany = gate.maxWarnings !== undefined && warnings.length > gate.maxWarnings
  const failing = findings.filter((finding) => failsGate(finding, gate))
  return new Set(isTooMany ? [...failing, ...warnings] : failing)
}

function failsGate(finding: ReportedFinding, { level, likely }: Gate): boolean {
  const rank = adviceLevels.indexOf(finding.level)
  return (
    isOpen(finding) &&
    level !== undefined &&
    rank <= adviceLevels.indexOf(level) &&
    (likely || finding.certainty === 'certain')
  )
}

/**
 * Exit code of a report. With nothing to judge it is no pass.
 * @returns 1 also for more warnings than the gate allows
 */
export function exitCodeOf({ findings, rules }: Report, gate: Gate): number {
  if (failuresOf({ findings }, gate).size > 0) return reportExitCodes.failed
  return rules.some(({ judged }) => judged > 0)
    ? reportExitCodes.clean
    : reportExitCodes.nothingToJudge
}

/** Counts of a report for a summary. */
export function countsOf({ findings, rules, ignores, fixed }: Report) {
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

/** Counts as a sentence: `3 errors, 1 warning`. */
export function summarySentence(report: Report): string {
  const counts = countsOf(report)
  if (counts.judged === 0) {
    if (report.paused > 0) return `Nothing to check: ${pausedSentence(report)}`
    return 'Nothing to check: the sandbox has recorded no request of an app and no delivery.'
  }
  const parts = [
    `${counts.judged} of ${report.rules.length} checks had something to judge${(report.resets ?? 0) > 0 ? ` over ${plural(report.resets ?? 0, 'reset')}` : ''}`,
    ...(counts.ignored > 0 ? [`${plural(counts.ignored, 'finding')} ignored`] : []),
    ...(counts.known > 0 ? [`${plural(counts.known, 'finding')} in the baseline`] : []),
    ...(report.omitted > 0 ? [`${plural(report.omitted, 'more finding')} left out`] : []),
    ...(counts.fixed > 0 ? [`${counts.fixed} of the baseline gone`] : []),
  ]
  const sentence = `${parts.join(', ')}.`
  return report.paused > 0 ? `${sentence} ${pausedSentence(report)}` : sentence
}

/** Sentence about what no check has judged. An attempt of a delivery is a request, too. */
export function pausedSentence({ paused }: Pick<Report, 'paused'>): string {
  return `${plural(paused, 'request')} came in a pause, which is not judged.`
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Sentences about ignores that matched no finding. */
export function uselessIgnores({ ignores }: Report): string[] {
  return ignores
    .filter(({ findings }) => findings === 0)
    .map(
      ({ rule, app, webhook, reason }) =>
        `The ignore of ${rule}${[app, webhook].map((one) => (one === undefined ? '' : ` for ${one}`)).join('')} matches no finding (reason: ${reason}). Remove it.`,
    )
}

/** Sentences that explain a finding: mistake, evidence, fix and sources. */
export function partsOf(finding: AdviceFinding) {
  const { title, fix, evidence, sources, count } = finding
  return {
    title,
    times: count === 1 ? 'once' : `${count} times`,
    evidence: evidence.map(({ id, line, note }) =>
      line === undefined ? `${id}: ${note}` : `${line} (${id}) ${note}`,
    ),
    fix,
    sources: sources.map(({ name, section, url }) => ({ name: `${name}, ${section}`, url })),
  }
}
