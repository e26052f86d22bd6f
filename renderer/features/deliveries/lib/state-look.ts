import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import type { Tone } from '../../../components/badge.tsx'
import type { IconName } from '../../../components/icon.tsx'

/** Shape, tone and word of each state: never colour alone. */
export const stateLooks: Record<
  DeliveryRow['state'],
  { icon: IconName; tone: Tone; word: string }
> = {
  succeeded: { icon: 'check', tone: 'ok', word: 'Succeeded' },
  failed: { icon: 'cross', tone: 'bad', word: 'Failed' },
  waiting: { icon: 'retry', tone: 'warn', word: 'Waiting to retry' },
  sending: { icon: 'sending', tone: 'accent', word: 'Sending' },
  queued: { icon: 'queued', tone: 'accent', word: 'Queued' },
  held: { icon: 'hold', tone: 'warn', word: 'Held' },
  cancelled: { icon: 'minus', tone: 'neutral', word: 'Cancelled' },
  skipped: { icon: 'skip', tone: 'neutral', word: 'Skipped' },
}

const errorWords: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    dns_error: 'no host',
    connection_refused: 'refused',
    connection_reset: 'reset',
    network_unreachable: 'no route',
    connect_timeout: 'no connect',
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

/** The status, or in a word what came instead. */
export function outcomeWord(row: DeliveryRow): string {
  if (row.state === 'skipped') return row.reason ?? 'skipped'
  if (row.status !== undefined) return String(row.status)
  if (row.errorClass) return errorWords.get(row.errorClass) ?? row.errorClass
  return '–'
}

const openStates: readonly DeliveryRow['state'][] = ['held', 'queued', 'sending', 'waiting']

/** Neither succeeded nor given up, and nobody called it off. */
export function isOpen({ state }: DeliveryRow): boolean {
  return openStates.includes(state)
}

/** Its last attempt failed, and there will be another. */
export function isFailingNow(row: DeliveryRow): boolean {
  return isOpen(row) && row.errorClass !== undefined
}

export function isFailure(row: DeliveryRow): boolean {
  return row.state === 'failed' || isFailingNow(row)
}
