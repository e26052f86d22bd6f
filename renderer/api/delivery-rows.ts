import type { InfiniteData } from '@tanstack/react-query'
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
  /** Whether its last attempt ran a job. */
  isJob?: boolean
  /** Module of the audit that sent it. */
  audit?: string
  /** Sequence number within the live feed; 0 for rows that were loaded. A paused list ends at a number. */
  arrival: number
}

export interface DeliveryRowPage {
  rows: readonly DeliveryRow[]
  nextCursor?: string
}

export type DeliveryPages = InfiniteData<DeliveryRowPage, string | undefined>

export function toPage({ items, nextCursor }: DeliveryList): DeliveryRowPage {
  return { rows: items.map(toRow), ...(nextCursor !== undefined && { nextCursor }) }
}

function toRow(item: DeliveryItem): DeliveryRow {
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
    arrival: 0,
  }
}

type DeliveryEntry = Extract<LiveEntry, { type: `delivery.${string}` }>

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

function startRow({ data, time, seq }: SentEntry): DeliveryRow {
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
    arrival: seq,
  }
}

/** Returns one row for each webhook that an event skipped. */
export function skippedRows({ data, time, seq }: SkippedEntry): DeliveryRow[] {
  const { webhooks, ...event } = data
  return webhooks.map(({ id: webhookId, reason }) => ({
    ...event,
    id: `${event.eventId}.${webhookId}`,
    webhookId,
    state: 'skipped',
    reason,
    attempts: 0,
    createdAt: time,
    arrival: seq,
  }))
}

/**
 * Applies a batch of facts to the loaded rows in one pass: known ones change where they stand, new
 * ones come first.
 * @returns `undefined` when a fact is about an older delivery that is not loaded: the list must be
 * read again to show where it belongs
 */
export function applyFacts(
  pages: DeliveryPages,
  entries: readonly SentEntry[],
): DeliveryPages | undefined {
  const concerned = new Set(entries.map(({ data }) => data.deliveryId))
  const rows = new Map<string, DeliveryRow>()
  for (const page of pages.pages) {
    for (const row of page.rows) if (concerned.has(row.id)) rows.set(row.id, row)
  }
  const newest = Date.parse(pages.pages[0]?.rows[0]?.createdAt ?? '')
  const added = new Set<string>()
  for (const entry of entries) {
    const { deliveryId } = entry.data
    const row = rows.get(deliveryId)
    if (!row) {
      if (Date.parse(entry.time) < newest) return undefined
      added.add(deliveryId)
    }
    rows.set(deliveryId, applyFact(entry, row ?? startRow(entry)))
  }
  const changed = pages.pages.map((page) =>
    page.rows.some(({ id }) => concerned.has(id))
      ? { ...page, rows: page.rows.map((row) => rows.get(row.id) ?? row) }
      : page,
  )
  const newRows = [...rows.values()].filter(({ id }) => added.has(id)).toReversed()
  return putFirst({ ...pages, pages: changed }, newRows)
}

export function putFirst(pages: DeliveryPages, rows: readonly DeliveryRow[]): DeliveryPages {
  const [first, ...others] = pages.pages
  if (!first || rows.length === 0) return pages
  return { ...pages, pages: [{ ...first, rows: [...rows, ...first.rows] }, ...others] }
}

/** All rows once, newest first: a page read after a fact may hold what the fact had put first. */
export function flattenRows(pages: readonly DeliveryRowPage[]): DeliveryRow[] {
  const seen = new Set<string>()
  const rows: DeliveryRow[] = []
  for (const page of pages) {
    for (const row of page.rows) {
      if (seen.has(row.id)) continue
      seen.add(row.id)
      rows.push(row)
    }
  }
  return rows
}
