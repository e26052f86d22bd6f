import type { Advice, AdviceFinding } from '../contract/control-advice.ts'
import { adviceLevels } from '../contract/words/advice.ts'

/** Occurrences whose evidence is kept: the first and the two newest. */
const mostEvidence = 6

/** Merges the findings of two parts of a run, such as those before and after a reset. */
export function mergeAdvice(one: Advice, next: Advice): Advice {
  const findings = new Map(one.items.map((finding) => [finding.id, finding]))
  for (const finding of next.items) {
    const known = findings.get(finding.id)
    findings.set(finding.id, known === undefined ? finding : mergeFinding(known, finding))
  }
  const items = [...findings.values()].toSorted(
    (a, b) => adviceLevels.indexOf(a.level) - adviceLevels.indexOf(b.level),
  )
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
  }
}

function mergeFinding(one: AdviceFinding, next: AdviceFinding): AdviceFinding {
  const worse = adviceLevels.indexOf(one.level) <= adviceLevels.indexOf(next.level) ? one : next
  return {
    ...next,
    level: worse.level,
    count: one.count + next.count,
    firstAt: one.firstAt,
    // Each part had its own record: entries of the later part alone can still be looked up.
    evidence: [...one.evidence, ...next.evidence].slice(0, mostEvidence),
  }
}
