import type { Advice, AdviceRule } from '../../contract/control-advice.ts'
import { packageVersion } from '../../core/package-root.ts'
import type { Report } from './report.ts'

/**
 * Makes a report of the findings of the checks.
 * @param rules all checks
 * @param startedAt ISO 8601
 */
export function reportOfAdvice(
  advice: Advice,
  rules: readonly AdviceRule[],
  startedAt: string,
): Report {
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
