import { rules } from './check-catalog.ts'
import { examine, type RuleResult } from './evaluate.ts'
import { rank } from '../report/report.ts'
import { type Evidence, gatherEvidence, narrowEvidence } from './evidence.ts'
import { type AdviceIgnore, withId } from './exceptions.ts'
import { createKeptFindings, type KeptFinding } from './kept-findings.ts'
import type { Judged, SegmentAdvice } from './run-advice.ts'
import { watchRecord } from './watch-record.ts'
import type {
  Advice,
  AdviceFinding,
  AdviceIgnoreItem,
  AdviceQuery,
} from '../../contract/control-advice.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime, parseTime } from '../../core/time.ts'
import { performance } from '../../core/timers.ts'
import type { ServerDeps } from '../server-deps.ts'
import { evidenceReaders } from './view.ts'

/** Findings of the checks over the whole run. */
export interface AdviceReader {
  read(query?: AdviceQuery): Advice
}

export function createAdviceReader(deps: ServerDeps): AdviceReader {
  const { bus, requests, realTime, settings } = deps
  const kept = createKeptFindings()
  const gather = () => gatherEvidence(deps, settings.baseUrl)

  function keep(evidence: Evidence, results: readonly RuleResult[]): void {
    const findings = results.flatMap((result) => result.findings)
    for (const { about, level } of kept.take(findings, evidenceReaders(deps, evidence, findings))) {
      const { id, rule, app, webhook } = about
      bus.emit('advice.found', {
        findingId: id,
        rule,
        level,
        ...omitUndefined({ clientId: app?.clientId, webhookId: webhook?.id }),
      })
    }
  }

  /** Examines the evidence by all rules, and keeps the findings. */
  function examineAll(evidence: Evidence): RuleResult[] {
    const results = rules.map((rule) => examine(evidence, rule))
    keep(evidence, results)
    return results
  }

  const watch = watchRecord({
    realTime,
    now: () => performance.now(),
    half: settings.caps.requests / 2,
    examine: () => void examineAll(gather()),
  })
  // Requests from before this was built.
  if (requests.size > 0) watch.note(requests.size)
  bus.on('request.completed', () => watch.note())
  bus.on('delivery.attempted', () => watch.note())
  bus.on('sandbox.reset', () => kept.clear())
  deps.runAdvice.readBy(() => {
    const evidence = gather()
    return { advice: readPresent({}, evidence), judgedOf: judgedOf(evidence) }
  })

  function readPresent(query: AdviceQuery, evidence: Evidence): Advice {
    const results = examineAll(evidence)
    const narrowed = narrowEvidence(evidence, query)
    const judged = narrowed === evidence ? results : rules.map((rule) => examine(narrowed, rule))
    const ignores = [...fixedIgnores(deps), ...deps.adviceExceptions.ignores]
    const all = kept.values().map((finding) => describeFinding(finding, ignores))
    const changes = new Map(kept.values().map(({ about, change }) => [about.id, change]))
    const after = changeOf(query.cursor, kept.change)
    const items = all.filter(
      (finding) => testOf(query)(finding) && (changes.get(finding.id) ?? 0) > after,
    )
    return {
      items,
      rules: judged.map(({ rule, judged: count }) => ({
        id: rule.id,
        judged: count,
        findings: items.filter((finding) => finding.rule === rule.id).length,
      })),
      ignores: ignores.map((ignore) => describeIgnore(ignore, all)),
      cursor: String(kept.change),
      omitted: kept.omitted,
      paused: evidence.paused,
    }
  }

  return {
    read: ({ run, ...query } = {}) =>
      run === undefined ? readPresent(query, gather()) : readRun(deps.runAdvice.read(), query),
  }
}

/** Selects from the findings of a whole run. */
function readRun(
  { advice, judgedOf: judgedOfSubject }: SegmentAdvice,
  { cursor, ...query }: AdviceQuery,
): Advice {
  if (cursor !== undefined) {
    throw new Refusal('invalid', 'A cursor is about the present segment: leave out run.')
  }
  const { clientId, webhookId } = query
  const subjects = [clientId, webhookId].filter((one) => one !== undefined)
  const items = advice.items.filter(testOf(query))
  return {
    ...advice,
    items,
    rules: rules.map(({ id }) => ({
      id,
      judged:
        subjects.length === 0
          ? (advice.rules.find((rule) => rule.id === id)?.judged ?? 0)
          : Math.max(...subjects.map((one) => judgedOfSubject.get(one)?.get(id) ?? 0)),
      findings: items.filter((finding) => finding.rule === id).length,
    })),
  }
}

/** Counts what each rule had to judge of each app and webhook. */
function judgedOf(evidence: Evidence): Map<string, Judged> {
  const { requests, signIns, devices, webhooks } = evidence
  const clients = [...requests, ...signIns, ...devices.map(({ issued }) => issued)]
  const clientIds = new Set(clients.flatMap(({ clientId }) => clientId ?? []))
  const narrowed = [
    ...[...clientIds].map((clientId) => [clientId, { clientId }] as const),
    ...webhooks.map(({ webhook: { id } }) => [id, { webhookId: id }] as const),
  ]
  return new Map(
    narrowed.map(([subject, only]) => {
      const part = narrowEvidence(evidence, only)
      return [subject, new Map(rules.map((rule) => [rule.id, rule.watch(part).judged]))]
    }),
  )
}

/** Number of the change that a cursor names; 0 for one of an earlier run. */
function changeOf(cursor: string | undefined, newest: number): number {
  if (cursor === undefined) return 0
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new Refusal('invalid', 'Invalid cursor: pass the cursor of an earlier response.')
  }
  return Number(cursor) > newest ? 0 : Number(cursor)
}

function describeFinding(
  { about, level, count, firstAt, lastAt, evidence }: KeptFinding,
  ignores: readonly AdviceIgnore[],
): AdviceFinding {
  const described = {
    ...about,
    level,
    count,
    firstAt: isoTime(firstAt),
    lastAt: isoTime(lastAt),
    evidence,
  }
  const ignore = ignores.find((one) => matches(one, described))
  return ignore === undefined
    ? described
    : { ...described, ignored: { id: ignore.id, reason: ignore.reason } }
}

export function fixedIgnores(deps: ServerDeps): AdviceIgnore[] {
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

function testOf({ clientId, webhookId, level, rule, since }: AdviceQuery) {
  const from = since === undefined ? undefined : (parseTime(since) ?? Number.NaN)
  return (finding: AdviceFinding) =>
    (clientId === undefined || finding.app?.clientId === clientId) &&
    (webhookId === undefined || finding.webhook?.id === webhookId) &&
    (level === undefined || rank(finding.level) <= rank(level)) &&
    (rule === undefined || finding.rule === rule) &&
    (from === undefined || (parseTime(finding.lastAt) ?? Number.NaN) >= from)
}

function matches({ rule, app, webhook }: AdviceIgnore, finding: AdviceFinding): boolean {
  const { app: ofApp, webhook: ofWebhook } = finding
  return (
    rule === finding.rule &&
    (app === undefined || [ofApp?.clientId, ofApp?.name].includes(app)) &&
    (webhook === undefined || [ofWebhook?.id, ofWebhook?.name, ofWebhook?.url].includes(webhook))
  )
}
