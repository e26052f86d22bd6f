import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { formatTook } from '../../../lib/format.ts'
import {
  openDeliveryStates,
  unreachedErrors,
} from '../../../../server/contract/words/webhook-words.ts'
import { words } from '../words.ts'

export interface StateLook {
  icon: IconName
  tone: Tone
  word: string
}

/** Shape, tone and word of each state, so that colour is never the only sign. */
export const stateLooks: Record<DeliveryRow['state'], StateLook> = {
  succeeded: { icon: 'check', tone: 'ok', word: words.succeeded },
  failed: { icon: 'cross', tone: 'bad', word: words.failed },
  waiting: { icon: 'retry', tone: 'warn', word: 'Failing' },
  sending: { icon: 'sending', tone: 'accent', word: 'Sending' },
  queued: { icon: 'queued', tone: 'accent', word: 'Queued' },
  held: { icon: 'hold', tone: 'warn', word: 'Paused' },
  cancelled: { icon: 'minus', tone: 'neutral', word: words.cancelled },
  skipped: { icon: 'skip', tone: 'neutral', word: words.skipped },
}

const notRun: StateLook = { icon: 'skip', tone: 'neutral', word: 'Recorded (not run)' }

const loop: StateLook = { ...stateLooks.held, word: 'Paused (loop)' }

/** A delivery, with the status of its last attempt. */
interface Concluded {
  state: DeliveryRow['state']
  /** Absent in rows. */
  heldBecause?: 'loop' | undefined
  status?: number | undefined
}

/** Tells a job that was recorded but not run: responses and exit codes have a status. */
export function isNotRun({ state, status }: Concluded): boolean {
  return state === 'succeeded' && status === undefined
}

export function lookOf(delivery: Concluded): StateLook {
  if (delivery.heldBecause !== undefined) return loop
  return isNotRun(delivery) ? notRun : stateLooks[delivery.state]
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

/** Duration of the last attempt, if the receiver was reached: others have no response time. */
export function responseTime({ durationMs, errorClass }: DeliveryRow): number | undefined {
  return errorClass !== undefined && unreachedErrors.has(errorClass) ? undefined : durationMs
}

/** Formats the response time; without one, says that the receiver was not reached, or `–`. */
export function tookText(row: DeliveryRow): string {
  const tookMs = responseTime(row)
  if (tookMs !== undefined) return formatTook(tookMs)
  return row.durationMs === undefined ? '–' : words.notReached
}

/** Neither succeeded, failed nor cancelled. */
export function isOpen({ state }: DeliveryRow): boolean {
  return openDeliveryStates.some((open) => open === state)
}

/** The last attempt failed and will be retried. */
export function isFailingNow(row: DeliveryRow): boolean {
  return isOpen(row) && row.errorClass !== undefined
}

export function isFailure(row: DeliveryRow): boolean {
  return row.state === 'failed' || isFailingNow(row)
}
