import type {
  AttemptItem,
  DeliveryItem,
  DeliveryList,
} from '../../server/contract/control-deliveries.ts'
import { lastDecided } from '../../server/contract/delivery-result.ts'
import type { LiveEntry } from '../../server/contract/live.ts'
import type {
  AttemptOutcome,
  DeliveryErrorClass,
} from '../../server/contract/words/webhook-words.ts'

type OfDelivery = Pick<
  DeliveryItem,
  | 'id'
  | 'webhookId'
  | 'eventId'
  | 'scope'
  | 'action'
  | 'repo'
  | 'repoType'
  | 'state'
  | 'reason'
  | 'nextRetryAt'
  | 'derivedFrom'
  | 'duplicate'
  | 'synthetic'
  | 'createdAt'
>
type OfLastAttempt = Partial<Pick<AttemptItem, 'source' | 'status' | 'durationMs'>>

/** Row of the list of deliveries, without bodies, so that 20,000 of them stay small. */
export interface DeliveryRow extends OfDelivery, OfLastAttempt {
  attempts: number
  /** Whether its job was recorded but not run. */
  recorded?: boolean
  /** Outcome of the first attempt; absent until it ended. */
  firstOutcome?: Exclude<AttemptOutcome, 'unknown'>
  errorClass?: DeliveryErrorClass
  /** True if its last attempt ran a job. */
  isJob?: boolean
  /** Module of the audit that sent it. */
  audit?: string
}

/** Row of a delivery that the live feed reported. */
export interface LiveRow extends DeliveryRow {
  /** Number of the delivery, which grows. */
  number: number
}

/** Rows at a place of the list. */
export interface DeliveryRowPage {
  rows: readonly DeliveryRow[]
  /** Number of rows before the page. */
  start: number
  /** Number of rows of the whole list. */
  total: number
  /** Cursor of the list, which leaves out what comes later. */
  asOf: string
}

export function toPage({ items, start = 0, total = 0, asOf = '' }: DeliveryList): DeliveryRowPage {
  return { rows: items.map(toRow), start, total, asOf }
}

/** Number of the newest delivery that a cursor leaves. */
export function numberOf(cursor: string): number {
  return Number.parseInt(cursor, 10)
}

/** Cursor of the deliveries up to this number, with all webhooks that their events skipped. */
export function cursorAfter(number: number): string {
  return `${number}.${Number.MAX_SAFE_INTEGER}`
}

export function toRow(item: DeliveryItem): DeliveryRow {
  const last = lastDecided(item.attempts)
  const first = item.attempts[0]?.outcome
  return {
    id: item.id,
    webhookId: item.webhookId,
    eventId: item.eventId,
    scope: item.scope,
    action: item.action,
    repo: item.repo,
    repoType: item.repoType,
    state: item.state,
    ...(item.reason && { reason: item.reason }),
    attempts: item.attempts.length,
    // Unknown whether an attempt cut off by a crash arrived; the Hub would retry it.
    ...(first && { firstOutcome: first === 'succeeded' ? 'succeeded' : 'failed' }),
    ...(last && { source: last.source }),
    ...(last?.status !== undefined && { status: last.status }),
    ...(last?.error && { errorClass: last.error.class }),
    ...(last?.durationMs !== undefined && { durationMs: last.durationMs }),
    ...(last?.jobId !== undefined && { isJob: true }),
    ...(item.nextRetryAt && { nextRetryAt: item.nextRetryAt }),
    ...(item.derivedFrom && { derivedFrom: item.derivedFrom }),
    ...(item.duplicate && { duplicate: true }),
    ...(item.synthetic && { synthetic: true }),
    ...(item.recorded && { recorded: true }),
    ...(item.audit && { audit: item.audit.module }),
    createdAt: item.createdAt,
  }
}

export type DeliveryEntry = Extract<LiveEntry, { type: `delivery.${string}` }>

export function isDeliveryEntry(entry: LiveEntry): entry is DeliveryEntry {
  return entry.type.startsWith('delivery.')
}

type SentEntry = Exclude<DeliveryEntry, { type: 'delivery.skipped' }>
type SkippedEntry = Extract<DeliveryEntry, { type: 'delivery.skipped' }>

/** Returns the row after a fact; `row` is the row before. */
function applyFact(entry: SentEntry, row: DeliveryRow): DeliveryRow {
  // Drops what an earlier state added.
  const { nextRetryAt: _before, ...rest } = row
  const next: DeliveryRow = { ...rest, state: entry.data.state }
  switch (entry.type) {
    case 'delivery.attempted': {
      const { status: _status, errorClass: _error, ...tried } = next
      return {
        ...tried,
        ...(entry.data.attempt === 1 && {
          firstOutcome: entry.data.error ? ('failed' as const) : ('succeeded' as const),
        }),
        attempts: Math.max(next.attempts, entry.data.attempt),
        source: entry.data.source,
        durationMs: entry.data.durationMs,
        ...(entry.data.jobId !== undefined && { isJob: true }),
        ...(entry.data.status !== undefined && { status: entry.data.status }),
        ...(entry.data.error && { errorClass: entry.data.error.class }),
      }
    }
    case 'delivery.waiting':
      return { ...next, nextRetryAt: entry.data.nextRetryAt }
    case 'delivery.succeeded':
      // Responses and exit codes have a status.
      return entry.data.status === undefined ? { ...next, recorded: true } : next
    default:
      return next
  }
}

function startRow({ data, time }: SentEntry, number: number): LiveRow {
  const { deliveryId: id, webhookId, eventId, scope, action, repo, repoType, state } = data
  return {
    id,
    webhookId,
    eventId,
    scope,
    action,
    repo,
    repoType,
    state,
    attempts: 0,
    ...(data.derivedFrom !== undefined && { derivedFrom: data.derivedFrom }),
    ...(data.duplicate !== undefined && { duplicate: data.duplicate }),
    ...(data.synthetic !== undefined && { synthetic: data.synthetic }),
    createdAt: time,
    number,
  }
}

/** Returns one row for each webhook that an event skipped. */
function skippedRows({ data, time }: SkippedEntry): LiveRow[] {
  const { webhooks, number = 0, ...event } = data
  return webhooks.map(({ id: webhookId, reason }) => ({
    ...event,
    id: `${event.eventId}.${webhookId}`,
    webhookId,
    state: 'skipped',
    reason,
    attempts: 0,
    createdAt: time,
    number,
  }))
}

/** Deliveries that came after the loaded rows. */
export interface LiveRows {
  /** Newest first. */
  rows: readonly LiveRow[]
  /** Number of the newest delivery of the loaded rows. */
  after: number
  /** Number of the newest row that was dropped, because there were too many. */
  dropped: number
  /** Number of the newest delivery that is shown, while newer ones wait. */
  pausedAt?: number | undefined
}

export const noLiveRows: LiveRows = { rows: [], after: 0, dropped: 0 }

/** Most rows that are kept until the list is read again. */
const mostLiveRows = 1000

/** Adds new deliveries in front and changes known ones. Facts about older deliveries leave it as it is. */
export function addFacts(live: LiveRows, facts: readonly DeliveryEntry[]): LiveRows {
  const rows = new Map(live.rows.toReversed().map((row) => [row.id, row]))
  let isChanged = false
  for (const fact of facts) {
    const { number = 0 } = fact.data
    if (number <= Math.max(live.after, live.dropped)) continue
    isChanged = true
    if (fact.type === 'delivery.skipped') {
      for (const row of skippedRows(fact)) rows.set(row.id, row)
    } else {
      const { deliveryId } = fact.data
      const row = rows.get(deliveryId) ?? startRow(fact, number)
      rows.set(deliveryId, { ...applyFact(fact, row), number })
    }
  }
  return isChanged ? limitRows({ ...live, rows: [...rows.values()].toReversed() }) : live
}

function limitRows(live: LiveRows): LiveRows {
  const [newest] = live.rows.slice(mostLiveRows)
  if (newest === undefined) return live
  return { ...live, rows: live.rows.slice(0, mostLiveRows), dropped: newest.number }
}

/** Drops what the loaded rows have by now. */
export function dropLoaded(live: LiveRows, after: number): LiveRows {
  return { ...live, after, rows: live.rows.filter(({ number }) => number > after) }
}

/** Changes the rows of a page that the facts are about, where they stand. */
export function updatePage(
  page: DeliveryRowPage,
  facts: readonly DeliveryEntry[],
): DeliveryRowPage {
  const changed = new Map<string, DeliveryRow>()
  for (const fact of facts) {
    if (fact.type === 'delivery.skipped') continue
    const { deliveryId } = fact.data
    const row = changed.get(deliveryId) ?? page.rows.find(({ id }) => id === deliveryId)
    if (row) changed.set(deliveryId, applyFact(fact, row))
  }
  if (changed.size === 0) return page
  return { ...page, rows: page.rows.map((row) => changed.get(row.id) ?? row) }
}
