import { parseTime } from '../../../core/time.ts'
import type { DeliveryErrorClass } from '../../../contract/words/webhook-words.ts'
import type { DeliveryProfile } from './profiles.ts'

/** Failed attempt, as far as the schedule is concerned. */
export interface FailedAttempt {
  error: DeliveryErrorClass
  /** Status of the response, whether from the receiver or from a fault rule. */
  status?: number
  /** `Retry-After` of the response (RFC 9110 §10.2.3), in milliseconds from now. */
  retryAfterMs?: number
}

/** Longest wait that a receiver can request. */
const longestRetryAfterMs = 24 * 3_600_000

/** Errors that a retry cannot fix: the sandbox itself refuses, or the job has run. */
const final: ReadonlySet<DeliveryErrorClass> = new Set(['blocked_target', 'job_failed'])
const responseErrors: ReadonlySet<DeliveryErrorClass> = new Set(['http_status', 'redirect'])

/**
 * Returns the wait before the next attempt of a delivery.
 * @param tries automatic attempts so far that used a step of the schedule, including the failed one
 * @param random a number in [0, 1), for the jitter
 * @returns milliseconds on the sandbox clock, or `undefined` when no retry is left
 */
export function nextRetryDelay(
  profile: DeliveryProfile,
  tries: number,
  failed: FailedAttempt,
  random: number,
): number | undefined {
  if (final.has(failed.error)) return undefined
  if (hasResponse(failed) && !profile.countsStatus) return undefined
  if (profile.disableOnGone && failed.status === 410) return undefined
  const planned = profile.retryDelaysMs[tries - 1]
  if (planned === undefined) return undefined
  const jittered = Math.round(planned * (1 + profile.jitter * (2 * random - 1)))
  const { retryAfterMs } = failed
  if (retryAfterMs === undefined || profile.retryAfter === 'ignored') return jittered
  const atMost = profile.retryAfter === 'clamped' ? 2 * planned : longestRetryAfterMs
  return Math.max(jittered, Math.min(retryAfterMs, atMost))
}

/** Returns whether there was a response; one from a fault rule counts as the receiver's. */
function hasResponse({ error, status }: FailedAttempt): boolean {
  return responseErrors.has(error) || (error === 'sender_fault' && status !== undefined)
}

/**
 * Reads a `Retry-After` header: seconds, or a date (RFC 9110 §10.2.3).
 * @param realNow real time in milliseconds, which receivers use
 */
export function parseRetryAfter(value: string | undefined, realNow: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const date = parseTime(value)
  return date === undefined ? undefined : Math.max(date - realNow, 0)
}
