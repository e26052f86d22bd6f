import type { Attempt, Delivery } from '../../state/entities/webhooks.ts'

/** A receiver may answer first and work afterwards. */
const effectsMs = 5000

/** Milliseconds since 1970 on the sandbox clock. */
export interface Window {
  from: number
  to: number
}

/**
 * When a receiver may have acted upon its last attempt.
 * @returns `undefined` before the first one, and where nothing reached it
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

/** What the body of a delivery says of its event, as far as nobody altered it. */
export interface ToldChange {
  commitIds: readonly string[]
  discussion?: number
}

/** @param body JSON; of an edited one nothing is believed */
export function readToldChange({ derivedFrom, duplicate }: Delivery, body = '{}'): ToldChange {
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
