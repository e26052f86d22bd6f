import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isoTime } from '../../../core/time.ts'
import type { Deps } from '../../deps.ts'
import type { Attempt, Delivery, SkippedEvent } from '../../../store/entities/webhook-entities.ts'
import type { QueriedDelivery } from '../../../contract/query/subjects.ts'
import type { AttemptTimings } from '../../../contract/control-deliveries.ts'
import {
  type AttemptOutcome,
  type DeliveryState,
  deliveryStates,
  type DeliveryViewName,
  type SkipReason,
} from '../../../contract/words/webhook-words.ts'
import { statusWordsOf } from '../../../contract/delivery-result.ts'
import { decidedOf } from './statistics.ts'
import { digestOf } from './delivery-digest.ts'
import type { ProbeAttempt, ProbeDelivery } from '../delivery/probe-log.ts'
import type { SentBody } from '../delivery/sent-body.ts'
import type { WebhookEngine } from '../engine/engine.ts'
import { describeProbe, probeSubject, queriedProbe } from './probe-views.ts'
import { explainAttempt, explainLackOfRoom, explainLoop, explainSkip } from '../delivery/explain.ts'

/** Attempt in the form of the control API: times in ISO 8601, durations in milliseconds. */
export interface AttemptView {
  number: number
  source: Attempt['source'] | 'audit'
  at: string
  /** Absent while in flight. */
  outcome?: AttemptOutcome
  durationMs?: number
  status?: number
  error?: NonNullable<Attempt['error']>
  /** Problem with the response that does not change the outcome: only the status counts. */
  note?: string
  /** Cause and fix, in a sentence. */
  explanation?: string
  timings?: AttemptTimings
  /** `sent` is the body of an attempt of an audit. */
  request?: { method: string; url: string; headers: [string, string][]; sent?: SentBody }
  response?: NonNullable<Attempt['response']>
  jobId?: string
}

/** Delivery in the form of the control API. Skipped ones have a reason, but neither attempts nor payload. */
export interface DeliveryView {
  id: string
  webhookId: string
  eventId: string
  state: DeliveryState | 'skipped'
  scope: string
  action: string
  repo: string
  repoType: string
  createdAt: string
  attempts: AttemptView[]
  payload?: unknown
  /** Value of the `Webhook-Id` header. */
  messageId?: string
  matchedBy?: string
  nextRetryAt?: string
  finishedAt?: string
  cancelledBecause?: string
  derivedFrom?: string
  duplicate?: boolean
  /** Whether its job was recorded but not run. */
  recorded?: boolean
  synthetic?: boolean
  /** Audit that it is an attempt of. */
  audit?: { id: string; module: string }
  reason?: SkipReason
  explanation?: string
}

export interface DeliveryFilter {
  webhookId?: string
  /** One or several of the words of filters; default: all but skipped ones. */
  state?: readonly string[]
  /** `acme/corpus`, or with its type: `datasets/acme/corpus`. */
  repo?: string
  /** A scope; `repo.*` includes narrower ones. */
  scope?: string
  eventId?: string
  /** Milliseconds since 1970 on the sandbox clock: leaves out older deliveries. */
  since?: number
  /** Whether attempts of audits are listed, too. Default: they are not. */
  audits?: boolean
  /** Further test of a delivery. */
  test?: (row: QueriedDelivery) => boolean
  cursor?: string
  /** Number of matches to leave out before the page. */
  skip?: number
  /** Delivery that is in the middle of the page, or would be if it matched. */
  around?: string
  /** Default 50, at most 1,000. */
  limit?: number
  /** `rows` is for lists: no payload, and attempts without timings, request and response. */
  view?: DeliveryViewName
}

export interface DeliveryPage {
  items: DeliveryView[]
  nextCursor?: string
  /** Number of matches before the page; this and the next members only for `skip` and `around`. */
  start?: number
  total?: number
  /** Cursor of the list without deliveries that come later. */
  asOf?: string
}

export type ActivityDeps = Pick<Deps, 'state'> & {
  engine: Pick<WebhookEngine, 'heldBecause' | 'probed'>
}

/** Entry of a list before it is described: many are filtered out, few are shown. */
type Row =
  | { seq: number; index: 0; delivery: Delivery }
  | { seq: number; index: number; event: SkippedEvent; skipped: SkippedEvent['webhooks'][number] }
  | { seq: number; index: number; probe: ProbeDelivery }

type Rows = Generator<Row, void, undefined>

/**
 * Lists deliveries, the newest first.
 * @throws {Refusal} `invalid` for an invalid cursor
 */
export function listDeliveries(deps: ActivityDeps, query: DeliveryFilter): DeliveryPage {
  const limit = Math.min(Math.max(query.limit ?? 50, 1), 1000)
  if (query.skip !== undefined || query.around !== undefined) return placedPage(deps, query, limit)
  const page: Row[] = []
  let isLast = true
  for (const row of matchingRows(deps, query)) {
    isLast = page.length < limit
    if (!isLast) break
    page.push(row)
  }
  const last = isLast ? undefined : page.at(-1)
  return {
    items: page.map((row) => describeRow(deps, row, query.view)),
    ...(last && { nextCursor: cursorOf(last) }),
  }
}

/** Page at a place among all matches, which have to be found for that. */
function placedPage(deps: ActivityDeps, query: DeliveryFilter, limit: number): DeliveryPage {
  const { skip = 0, around, view } = query
  const rows = [...matchingRows(deps, query)]
  const middle = around === undefined ? undefined : placeOf(deps, around)
  const before = middle && rows.filter((row) => compare(row, middle) > 0).length
  const start = before === undefined ? skip : Math.max(0, before - Math.floor(limit / 2))
  const page = rows.slice(start, start + limit)
  const last = start + limit < rows.length ? page.at(-1) : undefined
  return {
    items: page.map((row) => describeRow(deps, row, view)),
    ...(last && { nextCursor: cursorOf(last) }),
    start,
    total: rows.length,
    asOf: query.cursor ?? newestCursor(deps),
  }
}

/** Position in the order of the log. */
interface Place {
  seq: number
  index: number
}

function cursorOf({ seq, index }: Place): string {
  return `${seq}.${index}`
}

/** Returns the cursor before everything that is in the log now. */
function newestCursor({ state, engine }: ActivityDeps): string {
  const skipped = state.skippedEvents.last()
  const places: Place[] = [
    { seq: state.deliveries.last()?.seq ?? 0, index: 0 },
    { seq: skipped?.seq ?? 0, index: (skipped?.webhooks.length ?? 1) - 1 },
    ...engine.probed.newestFirst().slice(0, 1),
  ]
  const { seq, index } = places.reduce((a, b) => (compare(a, b) < 0 ? b : a))
  return cursorOf({ seq, index: index + 1 })
}

/** @throws {Refusal} `invalid` for an unknown delivery */
function placeOf(deps: ActivityDeps, id: string): Place {
  const delivery = deps.state.deliveries.get(id)
  if (delivery !== undefined) return { seq: delivery.seq, index: 0 }
  const [eventId = '', webhookId] = id.split('.')
  const event = deps.state.skippedEvents.get(eventId)
  const index = event?.webhooks.findIndex((webhook) => webhook.id === webhookId) ?? -1
  const place =
    deps.engine.probed.get(id) ?? (event && index >= 0 ? { seq: event.seq, index } : undefined)
  if (place !== undefined) return place
  const message = `There is no delivery ${id}.`
  throw new Refusal('invalid', message, { issues: [{ path: 'around', message }] })
}

/** Returns the values of all matches that the cursor leaves, newest first, and the number of the others. */
export function readMatches(
  deps: ActivityDeps,
  { cursor, ...query }: DeliveryFilter,
): { rows: QueriedDelivery[]; newer: number } {
  const before = parseCursor(cursor)
  const rows: QueriedDelivery[] = []
  let newer = 0
  for (const row of matchingRows(deps, query)) {
    if (before !== undefined && compare(row, before) >= 0) newer += 1
    else rows.push(queriedRow(deps, row))
  }
  return { rows, newer }
}

/** Returns the ids of all deliveries that match a query, the newest first; skipped ones only if it includes them. */
export function listDeliveryIds(
  deps: ActivityDeps,
  query: Omit<DeliveryFilter, 'limit' | 'view'>,
): string[] {
  return Array.from(matchingRows(deps, query), idOf)
}

/** Returns the ids of the matches that can be sent again, the newest first. */
export function listSendableIds(deps: ActivityDeps, query: DeliveryFilter): string[] {
  const rows = matchingRows(deps, { ...query, audits: false })
  return Array.from(rows, (row) => ('delivery' in row ? [row.delivery.id] : [])).flat()
}

function idOf(row: Row): string {
  if ('delivery' in row) return row.delivery.id
  return 'probe' in row ? row.probe.id : `${row.event.id}.${row.skipped.id}`
}

function describeRow(deps: ActivityDeps, row: Row, view?: DeliveryViewName): DeliveryView {
  if ('delivery' in row) return describeDelivery(deps, row.delivery, view)
  return 'probe' in row
    ? describeProbe(row.probe, attemptIn(view)(row.probe.attempt))
    : describeSkipped(row.event, row.skipped)
}

/** Yields matching rows, the newest first; reads no more of the state than is consumed. */
function* matchingRows(deps: ActivityDeps, query: DeliveryFilter): Rows {
  const before = parseCursor(query.cursor)
  let rows = deliveryRows(deps, query)
  if (query.state?.includes('skipped') === true) rows = merge(rows, skippedRows(deps, query))
  if (query.audits === true) rows = merge(rows, probeRows(deps, query))
  for (const row of rows) {
    if (before !== undefined && compare(row, before) >= 0) continue
    if (query.test === undefined || query.test(queriedRow(deps, row))) yield row
  }
}

function* deliveryRows(deps: ActivityDeps, query: DeliveryFilter): Rows {
  const wanted = query.state?.filter((state) => state !== 'skipped')
  if (wanted?.length === 0) return
  for (const delivery of candidates(deps, query)) {
    if (wanted !== undefined && !isInState(delivery, wanted)) continue
    if (!fits(query, delivery, delivery.createdAt)) continue
    yield { seq: delivery.seq, index: 0, delivery }
  }
}

/** Checks a delivery by its state, and by the words that lists show. */
function isInState(delivery: Delivery, wanted: readonly string[]): boolean {
  if (wanted.includes(delivery.state)) return true
  return statusWordsOf(decidedOf(delivery)).some((word) => wanted.includes(word))
}

function* probeRows({ engine }: ActivityDeps, query: DeliveryFilter): Rows {
  for (const probe of engine.probed.newestFirst()) {
    const { seq, index, attempt } = probe
    if (query.state !== undefined && !query.state.includes(attempt.outcome)) continue
    if (fits(query, { ...probe, ...probeSubject(probe) }, attempt.at)) yield { seq, index, probe }
  }
}

/** Prepares a row for the test of a query. */
function queriedRow(deps: ActivityDeps, row: Row): QueriedDelivery {
  if ('probe' in row) return queriedProbe(row.probe)
  if (!('delivery' in row)) {
    const { event, skipped } = row
    const { scope, action, repo, repoType, id: eventId, at } = event
    const id = `${eventId}.${skipped.id}`
    const webhookId = skipped.id
    return {
      id,
      webhookId,
      eventId,
      scope,
      action,
      repo,
      repoType,
      at,
      state: 'skipped',
      hasEnded: false,
      attempts: 0,
    }
  }
  return digestOf(deps, row.delivery)
}

/** Merges two lists, each the newest first. */
function* merge(one: Rows, other: Rows): Rows {
  let [a, b] = [one.next(), other.next()]
  while (a.done !== true && b.done !== true) {
    if (compare(a.value, b.value) > 0) {
      yield a.value
      a = one.next()
    } else {
      yield b.value
      b = other.next()
    }
  }
  if (a.done !== true) yield a.value
  if (b.done !== true) yield b.value
  yield* one
  yield* other
}

/** Returns a delivery, a skipped one, or an attempt of an audit, with all attempts. */
export function findDelivery(
  deps: ActivityDeps,
  id: string,
  view?: DeliveryViewName,
): DeliveryView | undefined {
  const delivery = deps.state.deliveries.get(id)
  if (delivery !== undefined) return describeDelivery(deps, delivery, view)
  const probe = deps.engine.probed.get(id)
  if (probe !== undefined) return describeProbe(probe, attemptIn(view)(probe.attempt))
  const [eventId = '', webhookId] = id.split('.')
  const event = deps.state.skippedEvents.get(eventId)
  const skipped = event?.webhooks.find((webhook) => webhook.id === webhookId)
  return event === undefined || skipped === undefined ? undefined : describeSkipped(event, skipped)
}

export function describeDelivery(
  deps: ActivityDeps,
  delivery: Delivery,
  view: DeliveryViewName = 'full',
): DeliveryView {
  const attempts = deps.state.attempts.group('delivery', delivery.id)
  const explanation = explainState(deps, delivery, attempts)
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    state: delivery.state,
    ...omitUndefined({ explanation }),
    scope: delivery.scope,
    action: delivery.action,
    repo: delivery.repo,
    repoType: delivery.repoType,
    createdAt: isoTime(delivery.createdAt),
    messageId: delivery.messageId,
    matchedBy: delivery.matchedBy,
    attempts: attempts.map(attemptIn(view)),
    ...(view === 'full' && { payload: payloadOf(deps, delivery) }),
    ...(delivery.nextRetryAt === undefined ? {} : { nextRetryAt: isoTime(delivery.nextRetryAt) }),
    ...(delivery.finishedAt === undefined ? {} : { finishedAt: isoTime(delivery.finishedAt) }),
    ...omitUndefined({
      cancelledBecause: delivery.cancelledBecause,
      causedBy: delivery.causedBy,
      heldBecause: delivery.heldBecause,
      derivedFrom: delivery.derivedFrom,
      duplicate: delivery.duplicate,
      recorded: delivery.recorded,
      synthetic: delivery.synthetic,
    }),
  }
}

function explainState(
  { state, engine }: ActivityDeps,
  delivery: Delivery,
  attempts: readonly Attempt[],
): string | undefined {
  // The job has the reason why it was not run, and how to run it.
  if (delivery.recorded === true) return state.jobs.get(attempts.at(-1)?.jobId ?? '')?.message
  if (delivery.state !== 'held') return undefined
  if (delivery.heldBecause !== undefined) return explainLoop
  const webhook = state.webhooks.get(delivery.webhookId)
  return (webhook && engine.heldBecause(webhook)) ?? explainLackOfRoom
}

function attemptIn(view: DeliveryViewName = 'full') {
  return view === 'rows' ? describeAttemptInRow : describeAttempt
}

export function describeAttempt(attempt: Attempt | ProbeAttempt): AttemptView {
  const {
    id: _id,
    deliveryId: _deliveryId,
    realAt: _realAt,
    at,
    ...rest
  } = { id: '', deliveryId: '', realAt: 0, ...attempt }
  const explanation = explainAttempt(attempt)
  return { ...rest, at: isoTime(at), ...omitUndefined({ explanation }) }
}

export function describeAttemptInRow(attempt: Attempt | ProbeAttempt): AttemptView {
  const { timings: _timings, request: _request, response: _response, ...row } = attempt
  return describeAttempt(row)
}

function payloadOf({ state }: ActivityDeps, { id }: Delivery): unknown {
  const body = state.deliveryBodies.get(id)
  return body === undefined ? null : JSON.parse(body.body)
}

function describeSkipped(
  event: SkippedEvent,
  skipped: SkippedEvent['webhooks'][number],
): DeliveryView {
  return {
    id: `${event.id}.${skipped.id}`,
    webhookId: skipped.id,
    eventId: event.id,
    state: 'skipped',
    scope: event.scope,
    action: event.action,
    repo: event.repo,
    repoType: event.repoType,
    createdAt: isoTime(event.at),
    attempts: [],
    reason: skipped.reason,
    explanation: explainSkip(skipped.reason),
  }
}

/** Returns a small set of deliveries that contains all matches of a query, the newest first. */
function candidates(deps: ActivityDeps, query: DeliveryFilter): Iterable<Delivery> {
  const { deliveries } = deps.state
  const [state, ...others] = query.state?.filter((name) => name !== 'skipped') ?? []
  const isState = others.length === 0 && deliveryStates.some((name) => name === state)
  const groups = [
    ['event', query.eventId],
    ['webhook', query.webhookId],
    ['state', isState ? state : undefined],
  ] as const
  // A group is read as a whole, so for one that has most deliveries it is faster to read all of them.
  let most = deliveries.size / 2
  let smallest: (() => Delivery[]) | undefined
  for (const [index, key] of groups) {
    const size = key === undefined ? Infinity : deliveries.groupSize(index, key)
    if (key === undefined || size > most) continue
    most = size
    smallest = () => deliveries.group(index, key)
  }
  return smallest === undefined ? deliveries.newestFirst() : smallest().toReversed()
}

function* skippedRows(deps: ActivityDeps, query: DeliveryFilter): Rows {
  const { skippedEvents } = deps.state
  const one = query.eventId === undefined ? undefined : skippedEvents.get(query.eventId)
  const events =
    query.eventId === undefined ? skippedEvents.newestFirst() : one === undefined ? [] : [one]
  for (const event of events) {
    for (const [index, skipped] of [...event.webhooks.entries()].toReversed()) {
      if (!fits(query, { ...event, eventId: event.id, webhookId: skipped.id }, event.at)) continue
      yield { seq: event.seq, index, event, skipped }
    }
  }
}

function fits(
  query: DeliveryFilter,
  row: { webhookId: string; eventId: string; repo: string; repoType: string; scope: string },
  at: number,
): boolean {
  if (query.webhookId !== undefined && row.webhookId !== query.webhookId) return false
  if (query.eventId !== undefined && row.eventId !== query.eventId) return false
  if (query.since !== undefined && at < query.since) return false
  if (query.scope !== undefined && !isWithin(row.scope, query.scope)) return false
  if (query.repo === undefined) return true
  const wanted = query.repo.toLowerCase()
  const name = row.repo.toLowerCase()
  return wanted === name || wanted === `${row.repoType}s/${name}`
}

function isWithin(scope: string, wanted: string): boolean {
  if (!wanted.endsWith('.*')) return scope === wanted
  const root = wanted.slice(0, -2)
  return scope === root || scope.startsWith(`${root}.`)
}

function compare(a: Place, b: Place): number {
  return a.seq - b.seq || a.index - b.index
}

function parseCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const parts = /^(\d+)\.(\d+)$/.exec(cursor)
  if (parts === null) {
    const message = `Invalid cursor ${cursor}: use the nextCursor of this list, or leave it out.`
    throw new Refusal('invalid', message, { issues: [{ path: 'cursor', message }] })
  }
  return { seq: Number(parts[1]), index: Number(parts[2]) }
}
