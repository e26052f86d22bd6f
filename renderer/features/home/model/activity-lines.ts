import { refusalQuery, refusalReason } from '../../../../server/contract/query/refusal-reason.ts'
import type { LiveData, LiveEntry } from '../../../../server/contract/live.ts'
import { formatCount } from '../../../lib/format.ts'
import { words } from '../words.ts'
import {
  type DeliveryFailure,
  describeFailures,
  isDeliveryFailure,
  type Undelivered,
} from './delivery-failures.ts'
import { describeEntry, type EntryLine, type EntryNames } from './describe-entry.ts'

export interface ActivityLine extends EntryLine {
  /** Newest fact of the line. */
  entry: LiveEntry
  /** Number of facts that the text stands for; 1 if the text counts something itself. */
  times: number
  /** Time of the oldest fact, if there are several. */
  since?: string
  /** True while the failure continues. */
  isIssue: boolean
}

/** Numbers from the logs: facts may have been dropped, and cannot be counted. */
export interface LoggedCounts {
  /** Undelivered deliveries of a webhook; undefined for a deleted one. */
  undelivered: (webhookId: string) => Undelivered | undefined
  /** Refused requests in the log by their explanation. */
  refusals: ReadonlyMap<string, number>
}

const noCounts: LoggedCounts = { undelivered: () => undefined, refusals: new Map() }

type Refusal = LiveData['request.completed']

/**
 * Turns facts into lines, newest first. Facts of the same cause become one line, wherever they are; other equal facts
 * do if they are next to each other.
 * @param entries newest first, without echoes
 */
export function activityLines(
  entries: readonly LiveEntry[],
  names: EntryNames,
  counts: LoggedCounts = noCounts,
): ActivityLine[] {
  const lines: ActivityLine[] = []
  const byCause = new Map<string, ActivityLine>()
  const failures = new Map<ActivityLine, DeliveryFailure[]>()
  const refusals = new Map<ActivityLine, Refusal[]>()
  function add<T>(map: Map<ActivityLine, T[]>, line: ActivityLine, fact: T): void {
    const known = map.get(line)
    if (known) known.push(fact)
    else map.set(line, [fact])
  }
  for (const entry of entries) {
    const described = describeEntry(entry, names)
    if (!described) continue
    const cause = causeOf(entry)
    let line = cause === undefined ? equalTo(lines.at(-1), described) : byCause.get(cause)
    if (line) {
      line.times += 1
      line.since = entry.time
    } else {
      line = { ...described, entry, times: 1, isIssue: described.tone === 'bad' }
      lines.push(line)
      if (cause !== undefined) byCause.set(cause, line)
    }
    if (isDeliveryFailure(entry)) add(failures, line, entry)
    else if (entry.type === 'request.completed') add(refusals, line, entry.data)
  }
  return lines.map((line) => {
    const [newest, ...others] = failures.get(line) ?? []
    const refused = refusals.get(line)
    if (refused !== undefined) return { ...line, ...describeRefusals(refused, line, counts) }
    if (newest === undefined) return line
    const { entry, since } = line
    const now = counts.undelivered(newest.data.webhookId)
    const described = describeFailures([newest, ...others], names, now)
    return { ...described, entry, times: 1, ...(since !== undefined && { since }) }
  })
}

/** Describes refused requests of one explanation, or those of audits, with a link to exactly those that it counts. */
function describeRefusals(
  refused: readonly Refusal[],
  { text }: EntryLine,
  { refusals }: LoggedCounts,
): Partial<ActivityLine> {
  const [newest] = refused
  if (newest === undefined) return {}
  const isAudit = newest.audit === true
  const reason = refusalReason(newest)
  const logged = isAudit ? undefined : refusals.get(reason)
  if (refused.length === 1 && (logged ?? 1) === 1) return {}
  const isAlike = refused.every(
    (one) => pathOf(one) === pathOf(newest) && one.error === newest.error,
  )
  const query = isAudit ? 'is:audit' : refusalQuery(reason)
  const title = isAlike ? text : isAudit ? words.auditRefusals : words.refusedRequests
  return {
    text: logged === undefined ? title : `${title} · ${words.refusedNow(formatCount(logged))}`,
    times: 1,
    detail: isAudit ? words.auditsCountNowhere : (newest.detail ?? newest.error ?? ''),
    href: `/requests?q=${encodeURIComponent(query)}`,
  }
}

function pathOf({ method, path, status }: Refusal): string {
  return `${method} ${path.replace(/\?.*/, '')} ${status}`
}

function equalTo(line: ActivityLine | undefined, described: EntryLine): ActivityLine | undefined {
  return line?.text === described.text && line.detail === described.detail ? line : undefined
}

/** Common cause of facts that belong in one line; `undefined` for a fact of its own. */
function causeOf(entry: LiveEntry): string | undefined {
  switch (entry.type) {
    case 'delivery.waiting':
    case 'delivery.failed':
      return `failure ${entry.data.webhookId}`
    case 'delivery.succeeded': {
      const { webhookId, scope, action, status } = entry.data
      return `success ${webhookId} ${scope} ${action} ${status === undefined}`
    }
    case 'request.completed':
      return entry.data.audit === true ? 'audit' : `refusal ${refusalReason(entry.data)}`
    case 'token.refused':
      return `token ${entry.data.clientId} ${entry.data.error} ${entry.data.detail}`
    case 'hub.event': {
      const { scope, action, cause, repo } = entry.data
      return `event ${scope} ${action} ${cause} ${repo.type} ${repo.name}`
    }
    case 'job.created':
      return `job ${entry.data.namespace}`
    case 'fault.hit':
      return `fault ${entry.data.faultId}`
    default:
      return undefined
  }
}

/**
 * Drops the refusals of tokens and authorizations that a refused request shows, too.
 * @param entries newest first
 */
export function withoutEchoes(entries: readonly LiveEntry[]): readonly LiveEntry[] {
  /** Refused sign-in requests by error: a request completes after its refusal. */
  const refused = new Map<string, number>()
  return entries.filter((entry) => {
    if (entry.type === 'request.completed') {
      const { path, error } = entry.data
      if (error !== undefined && path.startsWith('/oauth/')) {
        refused.set(error, (refused.get(error) ?? 0) + 1)
      }
      return true
    }
    if (entry.type !== 'token.refused' && entry.type !== 'authorization.denied') return true
    const left = refused.get(entry.data.error) ?? 0
    if (left > 0) refused.set(entry.data.error, left - 1)
    return left === 0
  })
}
