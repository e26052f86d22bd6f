import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type {
  DeliveryIssue,
  DeliveryIssues,
  RecentSignIns,
  RefusalGroup,
  RequestDensity,
  SignInResult,
} from '../../contract/control-summary.ts'
import { type DeliveryErrorClass, openDeliveryStates } from '../../contract/words/webhook-words.ts'
import { listFixes } from '../fixes/fixes.ts'
import { lastDecisive, standingOf } from '../../inspect/drawing/flow-outcome.ts'
import type { Flow } from '../../inspect/flows/flows.ts'
import { partiesOfAll } from '../../inspect/flows/parties.ts'
import { countRequests } from '../../inspect/log/density.ts'
import { isRefused } from '../../inspect/log/expected.ts'
import { detailOf } from '../../inspect/log/request-reason.ts'
import { refusalReason } from '../../contract/query/refusal-reason.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { Attempt, Webhook } from '../../store/entities/webhook-entities.ts'
import { findIssues, type Issue } from '../../hub/webhooks/views/issues.ts'
import type { ServerDeps } from '../server-deps.ts'
import { partiesView } from '../flows/view.ts'
import { type AuditMarkDeps, isFlowOfAudit, isRequestOfAudit } from '../audit/of-audit.ts'
import { isoMember, present } from '../../hub/access/refs.ts'
import { describeTarget, isFailing } from '../../hub/webhooks/control-view.ts'

// What works and what fails, for the overview.

const mostSignIns = 12
const mostIssues = 20
const mostSpans = 240
const mostRefusals = 200
/** Errors that a receiver cannot end by coming back. */
const lasting: ReadonlySet<DeliveryErrorClass> = new Set([
  'blocked_target',
  'sender_fault',
  'job_failed',
])
/** Paths that programs call and no browser opens by itself. */
const programPath = /^\/(?:api|oauth|\.well-known|v1|v2|mcp)\b|\/(?:resolve|info)\//
/** Length of a quoted response, in characters. */
const quotedLength = 300

/** Returns the sign-ins with the request that decided each, without those of audits. */
function decidedSignIns(deps: ServerDeps): { flow: Flow; last: RequestRecord }[] {
  return [...deps.requests.flows.values()].flatMap((flow) => {
    if (flow.kind === 'registration' || isFlowOfAudit(deps, flow)) return []
    const last = lastDecisive(flow.records)
    return last === undefined ? [] : [{ flow, last }]
  })
}

/** Checks whether an app has got a response that is no error; a page that a browser opens is none. */
export function hasResponded({ requests }: Pick<ServerDeps, 'requests'>): boolean {
  for (const { status, url } of requests.values()) {
    if (status > 0 && status < 400 && programPath.test(url)) return true
  }
  return false
}

/** Checks whether a sign-in was completed, in the whole log. */
export function hasSignedIn(deps: ServerDeps): boolean {
  return decidedSignIns(deps).some(({ flow }) => standingOf(deps, flow).outcome === 'completed')
}

/** Lists the newest sign-ins, without those of audits. */
export function describeRecentSignIns(deps: ServerDeps): RecentSignIns {
  const recent = decidedSignIns(deps)
    .toSorted((one, other) => other.last.receivedMs - one.last.receivedMs)
    .slice(0, mostSignIns)
  const [newest] = recent
  const results = recent.map(({ flow, last }) => describeResult(deps, flow, last))
  const isRefused = results[0]?.outcome === 'refused'
  const { items: fixes, setting } =
    newest !== undefined && isRefused ? listFixes(deps, newest.flow.records) : { items: [] }
  return { recent: results, fixes, ...omitUndefined({ setting }) }
}

function describeResult(deps: ServerDeps, flow: Flow, last: RequestRecord): SignInResult {
  return {
    id: flow.id,
    kind: flow.kind,
    ...partiesView(deps, partiesOfAll(deps, flow.records)),
    at: isoTime(last.at),
    ...standingOf(deps, flow),
  }
}

export function describeIssues(deps: Pick<ServerDeps, 'state'>): DeliveryIssues {
  const issues = listIssues(deps)
  return { items: issues.slice(0, mostIssues), total: issues.length }
}

/** Lists all issues: webhooks that still fail first, then the newest first. */
export function listIssues({ state }: Pick<ServerDeps, 'state'>): DeliveryIssue[] {
  const undelivered = [...openDeliveryStates, 'failed' as const]
    .flatMap((name) => state.deliveries.group('state', name))
    .filter(({ attempts }) => attempts > 0)
    .map((delivery) => ({ delivery, attempts: state.attempts.group('delivery', delivery.id) }))
  const issues = findIssues(undelivered).flatMap((issue) => {
    // Nothing can be delivered to a deleted webhook.
    const webhook = state.webhooks.get(issue.webhookId)
    return webhook === undefined ? [] : [describeIssue(webhook, issue)]
  })
  const rank = ({ isCurrent }: DeliveryIssue) => (isCurrent ? 0 : 1)
  return issues.toSorted((a, b) => rank(a) - rank(b) || b.lastAt.localeCompare(a.lastAt))
}

function describeIssue(webhook: Webhook, { last, since, ...issue }: Issue): DeliveryIssue {
  const said = quoteOf(last)
  return {
    ...issue,
    id: [issue.webhookId, issue.class, ...(issue.status === undefined ? [] : [issue.status])].join(
      ':',
    ),
    ...present(webhook, 'name'),
    target: describeTarget(webhook),
    webhookStatus: webhook.status,
    isCurrent: isFailing(webhook),
    ...isoMember('awaitedSince', webhook.awaitedSince),
    canBeAwaited: isFailing(webhook) && webhook.url !== undefined && !lasting.has(issue.class),
    message: last.error?.message ?? '',
    ...(said && { said }),
    since: isoTime(since),
    lastAt: isoTime(last.at),
    lastDeliveryId: last.deliveryId,
  }
}

function quoteOf({ response }: Attempt): string {
  return response?.encoding === 'utf-8' ? response.body.trim().slice(0, quotedLength) : ''
}

/** Checks whether a request counts as refused. Requests of an audit are refused on purpose. */
function isFailure(deps: AuditMarkDeps, record: RequestRecord): boolean {
  return isRefused(record) && !isRequestOfAudit(deps, record)
}

/** Groups the refused requests by their explanation, the newest first. */
export function describeRefusals(deps: AuditMarkDeps): RefusalGroup[] {
  const groups = new Map<string, { count: number; since: number; lastAt: number }>()
  for (const record of deps.requests.values()) {
    if (!isFailure(deps, record)) continue
    const reason = refusalReason({ detail: detailOf(record), error: record.error })
    const { count = 0, since = Infinity, lastAt = -Infinity } = groups.get(reason) ?? {}
    groups.set(reason, {
      count: count + 1,
      since: Math.min(since, record.at),
      lastAt: Math.max(lastAt, record.at),
    })
  }
  return [...groups]
    .toSorted(([, one], [, other]) => other.lastAt - one.lastAt)
    .slice(0, mostRefusals)
    .map(([reason, { count, since, lastAt }]) => ({
      reason,
      count,
      since: isoTime(since),
      lastAt: isoTime(lastAt),
    }))
}

/** Counts requests over time. */
export function describeDensity(deps: AuditMarkDeps): RequestDensity {
  const { spanMs, spans } = countRequests(deps.requests.values(), mostSpans, (record) =>
    isFailure(deps, record),
  )
  return { spanMs, spans: spans.map(({ from, ...span }) => ({ from: isoTime(from), ...span })) }
}
