import { parseTime } from '../../core/time.ts'
import type { DeliveryErrorClass } from '../../contract/words/webhooks.ts'
import type { DeliveryProfile } from './profiles.ts'

/** What an attempt came to, as far as the schedule is concerned. */
export interface FailedTry {
  error: DeliveryErrorClass
  /** Of the answer, where there was one, or a fault rule gave one. */
  status?: number
  /** The `Retry-After` of the answer (RFC 9110 §10.2.3), in milliseconds from now. */
  retryAfterMs?: number
}

/** A wait that a receiver asks for is never longer than this. */
const longestRetryAfterMs = 24 * 3_600_000

/** Trying again cannot help these: the sandbox itself refuses, or the job has run. */
const final: ReadonlySet<DeliveryErrorClass> = new Set(['blocked_target', 'job_failed'])
const answered: ReadonlySet<DeliveryErrorClass> = new Set(['http_status', 'redirect'])

/**
 * The wait before the next try of a delivery.
 * @param tries automatic attempts so far that took a step of the schedule, the failed one included
 * @param random a number in [0, 1), for the jitter
 * @returns milliseconds on the sandbox clock, or `undefined` when no retry is left
 */
export function nextRetryDelay(
  profile: DeliveryProfile,
  tries: number,
  failed: FailedTry,
  random: number,
): number | undefined {
  if (final.has(failed.error)) return undefined
  if (isAnswered(failed) && !profile.countsStatus) return undefined
  if (profile.disableOnGone && failed.status === 410) return undefined
  const planned = profile.retryDelaysMs[tries - 1]
  if (planned === undefined) return undefined
  const jittered = Math.round(planned * (1 + profile.jitter * (2 * random - 1)))
  const { retryAfterMs } = failed
  if (retryAfterMs === undefined || profile.retryAfter === 'ignored') return jittered
  const atMost = profile.retryAfter === 'clamped' ? 2 * planned : longestRetryAfterMs
  return Math.max(jittered, Math.min(retryAfterMs, atMost))
}

/** What a fault rule answers stands for an answer of the receiver. */
function isAnswered({ error, status }: FailedTry): boolean {
  return answered.has(error) || (error === 'sender_fault' && status !== undefined)
}

/**
 * Reads a `Retry-After` header: seconds, or a date (RFC 9110 §10.2.3).
 * @param realNow real time in milliseconds, since receivers live there
 */
export function parseRetryAfter(value: string | undefined, realNow: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const date = parseTime(value)
  return date === undefined ? undefined : Math.max(date - realNow, 0)
}
