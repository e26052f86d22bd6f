import { rules } from '../../../advice/catalog.ts'
import { evaluate, type Finding, rank } from '../../../advice/evaluate.ts'
import { gatherEvidence } from '../../../advice/evidence.ts'
import type { EvidenceItem, Rule } from '../../../advice/rule.ts'
import type { AdviceFinding, AdviceQuery, AdviceRule } from '../../../contract/control-advice.ts'
import { suggestion } from '../../../contract/suggestion.ts'
import { maskText } from '../../../core/mask.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isoTime } from '../../../core/time.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { control, type ControlRoutes } from './endpoint.ts'
import { appRef } from './views/refs.ts'

export const adviceRoutes: ControlRoutes = async (app, { deps }) => {
  control(app, 'GET advice', async ({ query }) => {
    if (query.rule !== undefined) requireRule(query.rule)
    const advice = evaluate(gatherEvidence(deps, deps.settings.baseUrl), rules)
    const items = advice.findings.filter(testOf(query))
    return {
      items: items.map((finding) => describeFinding(deps, finding)),
      rules: advice.rules.map(({ rule, judged }) => ({
        id: rule.id,
        judged,
        findings: items.filter((finding) => finding.rule === rule).length,
      })),
    }
  })
  control(app, 'GET advice/rules', async () => ({ items: rules.map(describeRule) }))
}

function requireRule(id: string): void {
  const ids = rules.map((rule) => rule.id)
  if (ids.includes(id)) return
  throw new Refusal('not_found', `There is no rule ${id}${suggestion(id, ids)}.`)
}

function testOf({ clientId, webhookId, level, rule }: AdviceQuery) {
  return (finding: Finding) =>
    (clientId === undefined || finding.subject.clientId === clientId) &&
    (webhookId === undefined || finding.subject.webhookId === webhookId) &&
    (level === undefined || rank(finding.level) <= rank(level)) &&
    (rule === undefined || finding.rule.id === rule)
}

function describeRule({ id, level, certainty, title, fix, sources }: Rule): AdviceRule {
  return { id, level, certainty, title, fix, sources: [...sources] }
}

function describeFinding(deps: ServerDeps, finding: Finding): AdviceFinding {
  const { id, rule, level, subject, count, firstAt, lastAt, evidence } = finding
  const { id: ruleId, ...about } = describeRule(rule)
  const { clientId, webhookId } = subject
  return {
    id,
    rule: ruleId,
    ...about,
    level,
    ...(clientId !== undefined && { app: appRef(deps, clientId) }),
    ...(webhookId !== undefined && { webhook: webhookRef(deps, webhookId) }),
    count,
    firstAt: isoTime(firstAt),
    lastAt: isoTime(lastAt),
    evidence: evidence.map((item) => ({ ...item, ...omitUndefined({ line: lineOf(deps, item) }) })),
  }
}

function webhookRef({ state }: ServerDeps, id: string): NonNullable<AdviceFinding['webhook']> {
  const { name, url } = state.webhooks.get(id) ?? {}
  return { id, ...omitUndefined({ name, url: url && maskText(url) }) }
}

function lineOf({ requests }: ServerDeps, { kind, id }: EvidenceItem): string | undefined {
  const record = kind === 'request' ? requests.get(id) : undefined
  return record && `${record.method} ${maskText(record.url)} ${record.status}`
}
