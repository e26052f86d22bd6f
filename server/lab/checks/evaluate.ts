import { createHash } from 'node:crypto'
import type { AdviceLevel } from '../../contract/words/advice-words.ts'
import type { Evidence } from './evidence.ts'
import type { EvidenceItem, Rule, Sighting, Subject } from './rule.ts'

/** A rule that an app or a webhook has broken. */
export interface Finding {
  /** The same in every run for the same rule, subject and key. */
  readonly id: string
  readonly rule: Rule
  readonly subject: Subject
  /** Oldest first; at least one. */
  readonly occurrences: readonly Occurrence[]
}

/** One time that the rule was broken. */
export interface Occurrence {
  readonly level: AdviceLevel
  /** Time on the sandbox clock in milliseconds since 1970. */
  readonly at: number
  /** Requests or attempts that prove it. */
  readonly evidence: readonly EvidenceItem[]
}

/** Result of one rule. */
export interface RuleResult {
  readonly rule: Rule
  /** Number of requests, sign-ins or attempts that the rule could judge. */
  readonly judged: number
  readonly findings: readonly Finding[]
}

/** Examines the record by one rule. */
export function examine(evidence: Evidence, rule: Rule): RuleResult {
  const { judged, sightings } = rule.watch(evidence)
  return { rule, judged, findings: findingsOf(rule, sightings) }
}

function findingsOf(rule: Rule, sightings: readonly Sighting[]): Finding[] {
  const byId = new Map<string, Sighting[]>()
  for (const sighting of sightings) {
    const id = idOf(rule, sighting)
    const group = byId.get(id)
    if (group === undefined) byId.set(id, [sighting])
    else group.push(sighting)
  }
  return Array.from(byId, ([id, found]) => ({
    id,
    rule,
    subject: found[0]?.subject ?? {},
    occurrences: found
      .map(({ level = rule.level, at, evidence }) => ({ level, at, evidence }))
      .toSorted((one, other) => one.at - other.at),
  }))
}

function idOf({ id }: Rule, { subject, key }: Sighting): string {
  const parts = [id, subject.clientId ?? '', subject.webhookId ?? '', key]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
