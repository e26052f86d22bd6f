import type { AdviceRule } from '../../contract/control-advice.ts'
import type { Rule } from './rule.ts'

/** Describes a check as the control API and reports do. */
export function describeRule(rule: Rule): AdviceRule {
  const { id, level, certainty, title, fix, exceptions, sources } = rule
  return { id, level, certainty, title, fix, exceptions: [...exceptions], sources: [...sources] }
}
