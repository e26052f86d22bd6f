import type { Advice, AdviceFinding } from '../../contract/control-advice.ts'
import { rank } from './report.ts'

/** Occurrences whose evidence is kept, besides the first. */
const newestKept = 2

/** Merges the findings of two parts of a run, such as those before and after a reset. */
export function mergeAdvice(one: Advice, next: Advice): Advice {
  const findings = new Map(one.items.map((finding) => [finding.id, finding]))
  for (const finding of next.items) {
    const known = findings.get(finding.id)
    findings.set(finding.id, known === undefined ? finding : mergeFinding(known, finding))
  }
  const items = [...findings.values()].toSorted((a, b) => rank(a.level) - rank(b.level))
  const ignores = new Map(one.ignores.map((ignore) => [ignore.id, ignore]))
  for (const ignore of next.ignores) {
    const before = ignores.get(ignore.id)?.findings ?? 0
    ignores.set(ignore.id, { ...ignore, findings: before + ignore.findings })
  }
  const judged = new Map(one.rules.map((rule) => [rule.id, rule.judged]))
  return {
    items,
    rules: next.rules.map((rule) => ({
      ...rule,
      judged: rule.judged + (judged.get(rule.id) ?? 0),
      findings: items.filter((finding) => finding.rule === rule.id).length,
    })),
    ignores: [...ignores.values()],
    cursor: next.cursor,
    omitted: one.omitted + next.omitted,
    paused: one.paused + next.paused,
  }
}

function mergeFinding(one: AdviceFinding, next: AdviceFinding): AdviceFinding {
  const worse = rank(one.level) <= rank(next.level) ? one : next
  const [first = [], ...later] = [...occurrencesOf(one), ...occurrencesOf(next)]
  const { ignored, ...about } = next
  return {
    ...about,
    // An ignore of a test is for its own part of the run.
    ...(ignored !== undefined && one.ignored !== undefined && { ignored }),
    level: worse.level,
    count: one.count + next.count,
    firstAt: one.firstAt,
    evidence: [first, ...later.slice(-newestKept)].flat(),
  }
}

/** Splits the evidence of a finding by occurrence; each has as many entries. */
function occurrencesOf({ evidence, count }: AdviceFinding): AdviceFinding['evidence'][] {
  const kept = Math.min(count, 1 + newestKept)
  const size = Math.max(1, Math.ceil(evidence.length / kept))
  return Array.from({ length: Math.ceil(evidence.length / size) }, (_none, index) =>
    evidence.slice(index * size, (index + 1) * size),
  )
}
