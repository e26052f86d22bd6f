import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { formatTook } from '../../../lib/format.ts'
import {
  type DecidedDelivery,
  lackOfResponse,
  resultOfDelivery,
  responseTimeOf,
  shownWordOf,
} from '../../../../server/contract/delivery-result.ts'
import type { ShownDeliveryWord } from '../../../../server/contract/words/webhook-words.ts'
import { words } from '../words.ts'

export interface StateLook {
  icon: IconName
  tone: Tone
  word: string
}

/** Shape, tone and word of each state and result, so that colour is never the only sign. */
export const stateLooks: Record<ShownDeliveryWord, StateLook> = {
  succeeded: { icon: 'check', tone: 'ok', word: words.succeeded },
  failed: { icon: 'cross', tone: 'bad', word: words.failed },
  failing: { icon: 'retry', tone: 'warn', word: words.failing },
  pending: { icon: 'clock', tone: 'accent', word: words.pending },
  sending: { icon: 'sending', tone: 'accent', word: 'Sending' },
  queued: { icon: 'queued', tone: 'accent', word: 'Queued' },
  paused: { icon: 'hold', tone: 'warn', word: 'Paused' },
  cancelled: { icon: 'minus', tone: 'neutral', word: words.cancelled },
  'not-run': { icon: 'job', tone: 'neutral', word: words.notRunTitle },
  skipped: { icon: 'skip', tone: 'neutral', word: words.skipped },
}

const loop: StateLook = { ...stateLooks.paused, word: 'Paused (loop)' }

/** A delivery, as a list has it. */
interface Concluded {
  state: DeliveryRow['state']
  recorded?: boolean | undefined
  /** Absent in rows. */
  heldBecause?: 'loop' | undefined
}

/** Returns the parts of a row that decide its result. */
export function decidedOf({ state, recorded, firstOutcome }: DeliveryRow): DecidedDelivery {
  return { state, recorded, hasEnded: firstOutcome !== undefined }
}

/** Tells a delivery that the first attempt has delivered. */
export function succeededAtFirst(row: DeliveryRow): boolean {
  return resultOfDelivery(decidedOf(row)) === 'succeeded' && row.firstOutcome === 'succeeded'
}

/** Tells a job that was recorded but not run. */
export function isNotRun({ state, recorded }: Concluded): boolean {
  return state === 'succeeded' && recorded === true
}

export function lookOf(delivery: Concluded): StateLook {
  return delivery.heldBecause === undefined ? stateLooks[shownWordOf(delivery)] : loop
}

const errorWords: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    dns_error: 'DNS failed',
    connection_refused: 'no server',
    connection_reset: 'reset',
    network_unreachable: 'no route',
    connect_timeout: 'connect timeout',
    timeout: 'timeout',
    tls_error: 'TLS',
    redirect: 'redirect',
    protocol_error: 'garbage',
    blocked_target: 'blocked',
    sender_fault: 'fault',
    aborted_by_shutdown: 'aborted',
    job_failed: 'job failed',
  }),
)

/** Status, or a word for the failure. */
export function outcomeWord(row: DeliveryRow): string {
  if (row.state === 'skipped') return row.reason ?? 'skipped'
  if (isNotRun(row)) return words.notRun
  if (row.status !== undefined) return String(row.status)
  if (row.errorClass) return errorWords.get(row.errorClass) ?? row.errorClass
  return '–'
}

/** Response time of the last attempt; undefined without a response. */
export function responseTime(row: DeliveryRow): number | undefined {
  return responseTimeOf(row)
}

/** Formats the response time; without one, says why, or `–`. */
export function tookText(row: DeliveryRow): string {
  const { durationMs } = row
  if (durationMs === undefined || isNotRun(row)) return '–'
  // A job has a duration, but no response.
  const tookMs = row.isJob === true ? durationMs : responseTime(row)
  return tookMs === undefined ? lackOfResponse(row.errorClass) : formatTook(tookMs)
}

/** Given up, or failed so far. */
export function isFailure(row: DeliveryRow): boolean {
  const result = resultOfDelivery(decidedOf(row))
  return result === 'failed' || result === 'failing'
}
