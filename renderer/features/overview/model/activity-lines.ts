import type { LiveEntry } from '../../../../server/contract/live.ts'
import {
  type DeliveryFailure,
  describeFailures,
  findResults,
  isDeliveryFailure,
} from './delivery-failures.ts'
import { describeEntry, type EntryLine, type EntryNames } from './describe-entry.ts'

export interface ActivityLine extends EntryLine {
  /** Newest fact of the line. */
  entry: LiveEntry
  /** Number of facts that the text stands for; 1 if the text counts them itself. */
  times: number
  /** Time of the oldest fact, if there are several. */
  since?: string
  /** True while the failure continues. */
  isIssue: boolean
}

/**
 * Turns facts into lines, newest first. Facts of the same cause become one line, wherever they are; other equal facts
 * do if they are next to each other.
 * @param entries newest first, without echoes
 * @param all facts that show how deliveries ended, newest first
 */
export function activityLines(
  entries: readonly LiveEntry[],
  names: EntryNames,
  all: readonly LiveEntry[] = entries,
): ActivityLine[] {
  const lines: ActivityLine[] = []
  const byCause = new Map<string, ActivityLine>()
  const failures = new Map<ActivityLine, DeliveryFailure[]>()
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
    if (isDeliveryFailure(entry)) {
      const known = failures.get(line)
      if (known) known.push(entry)
      else failures.set(line, [entry])
    }
  }
  const results = findResults(all)
  return lines.map((line) => {
    const [newest, ...others] = failures.get(line) ?? []
    if (newest === undefined) return line
    const { entry, since } = line
    const described = describeFailures([newest, ...others], names, results)
    return { ...described, entry, times: 1, ...(since !== undefined && { since }) }
  })
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
    case 'request.completed': {
      const { method, path, status, error, clientId } = entry.data
      return `refusal ${method} ${path.replace(/\?.*/, '')} ${status} ${error} ${clientId}`
    }
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
