import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'

/** A receiver may respond first and work afterwards. */
const effectsMs = 5000

/** Time span in milliseconds since 1970 on the sandbox clock. */
export interface Window {
  from: number
  to: number
}

/**
 * Returns the time span in which a receiver may have acted upon its last attempt.
 * @returns `undefined` when no attempt reached it
 */
export function findWindow(attempts: readonly Attempt[]): Window | undefined {
  const last = attempts.findLast(
    ({ request, jobId }) => request !== undefined || jobId !== undefined,
  )
  if (last === undefined) return undefined
  return { from: last.at, to: last.at + (last.durationMs ?? 0) + effectsMs }
}

export function isWithin({ from, to }: Window, at: number): boolean {
  return at >= from && at <= to
}

/** Changes that the body of a delivery reports. */
export interface ReportedChange {
  commitIds: readonly string[]
  discussion?: number
}

/** @param body JSON; an edited body is ignored */
export function readReportedChange(
  { derivedFrom, duplicate }: Delivery,
  body = '{}',
): ReportedChange {
  if (derivedFrom !== undefined && duplicate !== true) return { commitIds: [] }
  const { updatedRefs, discussion } = JSON.parse(body) as {
    updatedRefs?: readonly { newSha?: unknown }[]
    discussion?: { num?: unknown }
  }
  const shas = Array.isArray(updatedRefs) ? updatedRefs.map(({ newSha }) => newSha) : []
  const num = discussion?.num
  return {
    commitIds: shas.filter((sha) => typeof sha === 'string'),
    ...(typeof num === 'number' && { discussion: num }),
  }
}
