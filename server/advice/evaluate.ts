import { createHash } from 'node:crypto'
import { adviceLevels, type AdviceLevel } from '../contract/words/advice.ts'
import type { Evidence } from './evidence.ts'
import type { EvidenceItem, Rule, Sighting, Subject } from './rule.ts'

/** A rule that an app or a webhook has broken. */
export interface Finding {
  /** The same in every run for the same rule, subject and key. */
  readonly id: string
  readonly rule: Rule
  readonly level: AdviceLevel
  readonly subject: Subject
  readonly count: number
  /** Times on the sandbox clock in milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
  /** Requests or attempts of the first and the two newest occurrences. */
  readonly evidence: readonly EvidenceItem[]
}

export interface Advice {
  /** Worst first, then the newest. */
  readonly findings: readonly Finding[]
  /** Findings that were left out, because there are too many. */
  readonly omitted: number
  /** Number of requests, sign-ins or attempts that each rule could judge, in the order of the catalog. */
  readonly rules: readonly { readonly rule: Rule; readonly judged: number }[]
}

/** Newest occurrences of a finding whose evidence is kept, besides the first. */
const newestKept = 2

/** Findings that are kept. */
const mostFindings = 500

/** Examines the record by each rule. */
export function evaluate(evidence: Evidence, rules: readonly Rule[]): Advice {
  const judgements = rules.map((rule) => ({ rule, ...rule.check(evidence) }))
  const findings = judgements.flatMap(({ rule, sightings }) => findingsOf(rule, sightings))
  const sorted = findings.toSorted(
    (one, other) => rank(one.level) - rank(other.level) || other.lastAt - one.lastAt,
  )
  return {
    findings: sorted.slice(0, mostFindings),
    omitted: Math.max(0, sorted.length - mostFindings),
    rules: judgements.map(({ rule, judged }) => ({ rule, judged })),
  }
}

/** Place of a level in the order from the worst. */
export function rank(level: AdviceLevel): number {
  return adviceLevels.indexOf(level)
}

function findingsOf(rule: Rule, sightings: readonly Sighting[]): Finding[] {
  const byId = new Map<string, Sighting[]>()
  for (const sighting of sightings) {
    const id = idOf(rule, sighting)
    const group = byId.get(id)
    if (group === undefined) byId.set(id, [sighting])
    else group.push(sighting)
  }
  return Array.from(byId, ([id, found]) => {
    const ordered = found.toSorted((one, other) => one.at - other.at)
    const [first, ...later] = ordered
    const levels = ordered.map(({ level }) => level ?? rule.level)
    return {
      id,
      rule,
      level: levels.reduce((worst, level) => (rank(level) < rank(worst) ? level : worst)),
      subject: first?.subject ?? {},
      count: ordered.length,
      firstAt: first?.at ?? 0,
      lastAt: ordered.at(-1)?.at ?? 0,
      evidence: [
        ...(first?.evidence ?? []),
        ...later.slice(-newestKept).flatMap((it) => it.evidence),
      ],
    }
  })
}

function idOf({ id }: Rule, { subject, key }: Sighting): string {
  const parts = [id, subject.clientId ?? '', subject.webhookId ?? '', key]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
