import { rules } from '../../../advice/catalog.ts'
import { evaluate, type Finding, rank } from '../../../advice/evaluate.ts'
import { gatherEvidence, narrowEvidence } from '../../../advice/evidence.ts'
import { type AdviceIgnore, withId } from '../../../advice/exceptions.ts'
import type { EvidenceItem, Rule } from '../../../advice/rule.ts'
import type {
  Advice,
  AdviceFinding,
  AdviceIgnoreItem,
  AdviceQuery,
  AdviceRule,
} from '../../../contract/control-advice.ts'
import { suggestion } from '../../../contract/suggestion.ts'
import { maskHeader, maskText } from '../../../core/mask.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { own } from '../../../core/own.ts'
import { packageVersion } from '../../../core/package-root.ts'
import { Refusal } from '../../../core/refusal.ts'
import { pathOf, queryPartOf } from '../../../core/request-target.ts'
import { maskSecret } from '../../../core/secrets.ts'
import { isoTime } from '../../../core/time.ts'
import { performance } from '../../../core/timers.ts'
import { fileNameOf, renderReport } from '../../../report/formats.ts'
import type { Gate, Report } from '../../../report/report.ts'
import { requestParameters } from '../../../requests/details/parameters.ts'
import { readReveal } from '../../../requests/details/reveal.ts'
import type { RequestRecord } from '../../../requests/log/request-log.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { control, type ControlRoutes } from './endpoint.ts'
import { appRef } from './views/refs.ts'

export const adviceRoutes: ControlRoutes = async (app, { deps }) => {
  control(app, 'GET advice', async ({ query }) => {
    if (query.rule !== undefined) requireRule(query.rule)
    return readAdvice(deps, query)
  })
  control(app, 'GET advice/rules', async () => ({ items: rules.map(describeRule) }))
  control(app, 'GET advice/report', async ({ query: { format, ...query } }) => ({
    filename: fileNameOf(format),
    text: renderReport(format, reportOf(deps, query), { gate: usualGate }),
  }))
  control(app, 'POST advice/ignores', async ({ body }) => {
    requireRule(body.rule)
    const { id } = deps.adviceExceptions.ignore(body)
    const made = readAdvice(deps).ignores.find((ignore) => ignore.id === id)
    return made ?? { id, ...body, source: 'control' as const, findings: 0 }
  })
  control(app, 'DELETE advice/ignores/:id', async ({ params: { id } }) => {
    if (deps.adviceExceptions.removeIgnore(id)) return {}
    const isFixed = fixedIgnores(deps).some((ignore) => ignore.id === id)
    throw new Refusal(
      'not_found',
      isFixed
        ? 'The fixtures file has this ignore: remove it there (config.advice.ignore).'
        : `There is no ignore ${id}.`,
    )
  })
  control(app, 'POST advice/pauses', async () => ({ id: deps.adviceExceptions.pause(now(deps)) }))
  control(app, 'DELETE advice/pauses/:id', async ({ params: { id } }) => {
    // A reset in between has ended it already.
    deps.adviceExceptions.resume(id, now(deps))
    return {}
  })
}

/** Gate of the command `check` without flags. */
const usualGate: Gate = { level: 'error', likely: false }

const now = ({ clock }: ServerDeps) => ({ at: clock.now(), realMs: performance.now() })

function readAdvice(deps: ServerDeps, query: AdviceQuery = {}): Advice {
  const evidence = gatherEvidence(deps, deps.settings.baseUrl)
  const advice = evaluate(narrowEvidence(evidence, query), rules)
  const ignores = [...fixedIgnores(deps), ...deps.adviceExceptions.ignores]
  const secrets = secretParameters(advice.findings)
  const all = advice.findings.map((finding) => describeFinding(deps, finding, ignores, secrets))
  const items = all.filter(testOf(query))
  return {
    items,
    rules: advice.rules.map(({ rule, judged }) => ({
      id: rule.id,
      judged,
      findings: items.filter((finding) => finding.rule === rule.id).length,
    })),
    ignores: ignores.map((ignore) => describeIgnore(ignore, all)),
    omitted: advice.omitted,
  }
}

function reportOf(deps: ServerDeps, query: AdviceQuery): Report {
  const advice = readAdvice(deps, query)
  const judged = new Map(advice.rules.map((rule) => [rule.id, rule.judged]))
  return {
    tool: { name: 'hub-sandbox', version: packageVersion },
    startedAt: isoTime(deps.clock.now()),
    findings: advice.items,
    rules: rules.map((rule) => ({ ...describeRule(rule), judged: judged.get(rule.id) ?? 0 })),
    ignores: advice.ignores,
    omitted: advice.omitted,
    fixed: [],
  }
}

function requireRule(id: string): void {
  const ids = rules.map((rule) => rule.id)
  if (ids.includes(id)) return
  throw new Refusal('not_found', `There is no rule ${id}${suggestion(id, ids)}.`)
}

function fixedIgnores(deps: ServerDeps): AdviceIgnore[] {
  return deps.fixtures().config.advice.ignore.map((ignore) => withId({ ...ignore, fixed: true }))
}

function describeIgnore(
  { id, rule, app, webhook, reason, fixed }: AdviceIgnore,
  findings: readonly AdviceFinding[],
): AdviceIgnoreItem {
  return {
    id,
    rule,
    ...omitUndefined({ app, webhook }),
    reason,
    source: fixed === true ? 'fixtures' : 'control',
    findings: findings.filter(({ ignored }) => ignored?.id === id).length,
  }
}

function testOf({ clientId, webhookId, level, rule }: AdviceQuery) {
  return (finding: AdviceFinding) =>
    (clientId === undefined || finding.app?.clientId === clientId) &&
    (webhookId === undefined || finding.webhook?.id === webhookId) &&
    (level === undefined || rank(finding.level) <= rank(level)) &&
    (rule === undefined || finding.rule === rule)
}

function describeRule({ id, level, certainty, title, fix, sources }: Rule): AdviceRule {
  return { id, level, certainty, title, fix, sources: [...sources] }
}

function describeFinding(
  deps: ServerDeps,
  finding: Finding,
  ignores: readonly AdviceIgnore[],
  secrets: SecretParameters,
): AdviceFinding {
  const { id, rule, level, subject, count, firstAt, lastAt, evidence } = finding
  const { id: ruleId, ...about } = describeRule(rule)
  const { clientId, webhookId } = subject
  const described = {
    id,
    rule: ruleId,
    ...about,
    level,
    ...(clientId !== undefined && { app: appRef(deps, clientId) }),
    ...(webhookId !== undefined && { webhook: webhookRef(deps, webhookId) }),
    count,
    firstAt: isoTime(firstAt),
    lastAt: isoTime(lastAt),
    evidence: evidence.map(({ isSecret: _isSecret, ...item }) => ({
      ...item,
      note: maskText(item.note),
      ...omitUndefined(shownOf(deps, item, secrets)),
    })),
  }
  const ignore = ignores.find((one) => matches(one, described))
  return ignore === undefined
    ? described
    : { ...described, ignored: { id: ignore.id, reason: ignore.reason } }
}

function matches({ rule, app, webhook }: AdviceIgnore, finding: AdviceFinding): boolean {
  const { app: ofApp, webhook: ofWebhook } = finding
  return (
    rule === finding.rule &&
    (app === undefined || [ofApp?.clientId, ofApp?.name].includes(app)) &&
    (webhook === undefined || [ofWebhook?.id, ofWebhook?.name, ofWebhook?.url].includes(webhook))
  )
}

function webhookRef({ state }: ServerDeps, id: string): NonNullable<AdviceFinding['webhook']> {
  const { name, url } = state.webhooks.get(id) ?? {}
  return { id, ...omitUndefined({ name, url: url && maskText(url) }) }
}

/** Content of a request, as far as the log still has it. */
function shownOf(
  { requests }: ServerDeps,
  { kind, id, parameter }: EvidenceItem,
  secrets: SecretParameters,
) {
  const record = kind === 'request' ? requests.get(id) : undefined
  if (record === undefined) return {}
  return {
    line: `${record.method} ${maskText(withoutSecrets(record.url, secrets.get(id)))} ${record.status}`,
    flowId: requests.flows.ofRequest(id)?.id,
    parameters: parametersOf(record, parameter).map((one) =>
      secrets.get(id)?.has(one.name) === true && one.value !== undefined
        ? { ...one, value: maskSecret(one.value) }
        : one,
    ),
  }
}

/** Names of parameters of requests, by request, whose values are secrets although their names are not. */
type SecretParameters = ReadonlyMap<string, ReadonlySet<string>>

function secretParameters(findings: readonly Finding[]): SecretParameters {
  const secrets = new Map<string, Set<string>>()
  for (const { id, parameter, isSecret } of findings.flatMap(({ evidence }) => evidence)) {
    if (isSecret !== true || parameter === undefined) continue
    secrets.set(id, (secrets.get(id) ?? new Set()).add(parameter))
  }
  return secrets
}

function withoutSecrets(target: string, names: ReadonlySet<string> | undefined): string {
  if (names === undefined) return target
  const query = queryPartOf(target)
  for (const name of names) query.set(name, maskSecret(query.get(name) ?? ''))
  return `${pathOf(target)}?${query.toString()}`
}

/** A request can have thousands. */
const mostParameters = 20

function parametersOf(record: RequestRecord, marked: string | undefined) {
  const listed = requestParameters(record, readReveal()).map(({ name, value }) => ({ name, value }))
  const header = marked === undefined ? undefined : own(record.request.headers, marked)
  const all =
    marked === undefined || listed.some(({ name }) => name === marked)
      ? listed
      : [{ name: marked, ...headerValue(marked, header) }, ...listed]
  return all
    .toSorted((one, other) => Number(other.name === marked) - Number(one.name === marked))
    .slice(0, mostParameters)
    .map((one) => (one.name === marked ? { ...one, marked: true as const } : one))
}

/** A parameter that the request has neither as a parameter nor as a header is missing. */
function headerValue(name: string, value: string | string[] | undefined): { value?: string } {
  return value === undefined ? {} : { value: maskHeader(name, String(value)) }
}
