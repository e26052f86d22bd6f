import type { AdviceRule } from '../../contract/control-advice.ts'
import { type AdviceLevel, adviceLevels } from '../../contract/words/advice-words.ts'
import type { AuditOutcome } from '../../contract/words/audit-words.ts'

/** Report of checks or of an audit in words, for every format. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string }
  /** ISO 8601. */
  readonly startedAt: string
  /** Program and plan of an audit; absent for checks of recorded traffic. */
  readonly audit?: { readonly subject: string; readonly plan: string }
  /** Checks, or modules of the audit. */
  readonly checks: readonly ReportedCheck[]
  /** The worst first. */
  readonly mistakes: readonly Mistake[]
  /** Modules that neither passed nor failed; tolerated ones come first. */
  readonly rest: readonly {
    readonly check: string
    readonly outcome: AuditOutcome
    readonly reason: string
  }[]
  /** Counts as a sentence. */
  readonly summary: string
  /** Sentences about settings that have no effect. */
  readonly hints: readonly string[]
  /** Sentences that annotations show besides the mistakes. */
  readonly annotations: readonly string[]
  /** Why the report is incomplete, as a sentence. */
  readonly problem?: string | undefined
  readonly exitCode: number
  /** Content of the report as JSON. */
  readonly data: object
}

/** Check or module, with its own result. */
export interface ReportedCheck extends Omit<AdviceRule, 'exceptions'> {
  /** Result, as a property of SARIF. */
  readonly result: Readonly<Record<string, unknown>>
  /** Reason why it judged nothing; then it has not passed. */
  readonly skipped?: string | undefined
  readonly tookMs?: number
}

/** Finding of a check, or verdict of a module that did not pass. */
export interface Mistake extends Pick<AdviceRule, 'level' | 'certainty' | 'title'> {
  /** Id of the check or module. */
  readonly check: string
  /** Only open mistakes count. */
  readonly state: 'open' | 'suppressed' | 'tolerated'
  /** Whether it makes the report fail. */
  readonly isFailure: boolean
  /** Name of the program that made it. */
  readonly subject: string
  /** Number of occurrences; absent for a verdict. */
  readonly count?: number
  /** Sentences that explain it, besides the title. */
  readonly details: readonly string[]
  readonly evidence: readonly string[]
  readonly fix: string
  readonly sources: readonly { readonly name: string; readonly url: string }[]
  /** Why it does not count, as sentences. */
  readonly notes: readonly string[]
  readonly junit: {
    readonly name: string
    /** Level, certainty or outcome. */
    readonly kind: string
  }
  readonly sarif: {
    readonly program: { readonly fullyQualifiedName: string; readonly kind: string }
    /** The same in every run for the same mistake. */
    readonly fingerprint: string
    /** Further members of the result. */
    readonly more: object
  }
  /** Names of the program in a file of its project, the best first. */
  readonly names: readonly (string | undefined)[]
}

/** File that mistakes are shown at: GitHub shows only results with a place. */
export interface ReportSource {
  /** Relative to the root of the project. */
  readonly file: string
  /** Line of the first name that the file has, from 1. */
  lineOf(names: Mistake['names']): number
}

/** Mistakes that fail a run. */
export interface Gate {
  /** The level, or a worse one; absent = none. */
  readonly level?: AdviceLevel | undefined
  /** Whether likely findings of this level make the report fail, too. */
  readonly likely?: boolean
  /** More warnings than this fail too; absent = any number is fine. */
  readonly maxWarnings?: number
}

/** Checks whether a gate includes a level. */
export function includesLevel(gate: Gate, level: AdviceLevel): boolean {
  return gate.level !== undefined && rank(level) <= rank(gate.level)
}

/** Place of a level in the order from the worst. */
export function rank(level: AdviceLevel): number {
  return adviceLevels.indexOf(level)
}

/** Exit codes of `check` and of audits. */
export const reportExitCodes = { clean: 0, failed: 1, unusable: 2, nothingToJudge: 3 } as const

/** Returns the mistakes that count: all, the certain and the likely ones. */
export function openMistakes({ mistakes }: Pick<Report, 'mistakes'>) {
  const open = mistakes.filter(({ state }) => state === 'open')
  return {
    open,
    certain: open.filter(({ certainty }) => certainty === 'certain'),
    likely: open.filter(({ certainty }) => certainty === 'likely'),
  }
}

/** Names the sections of sources. */
export function namedSources(sources: AdviceRule['sources']): Mistake['sources'] {
  return sources.map(({ name, section, url }) => ({ name: `${name}, ${section}`, url }))
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Number of occurrences: `once`, `3 times`. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
