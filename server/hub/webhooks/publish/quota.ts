import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Delivery } from '../../../store/entities/webhook-entities.ts'

/** Counts the deliveries of one webhook within the last 24 hours of the sandbox clock. */
export interface QuotaWindow {
  /** Returns the number of deliveries that count at `now`. */
  used(now: number): number
  /** Returns whether one more is allowed at `now`. */
  allows(now: number): boolean
  count(at: number): void
}

const quotaWindowMs = 24 * 3_600_000

/**
 * Creates a sliding window. Times need not come in order, since the clock can be set back: a time after `now` counts
 * like the present.
 * @param limit deliveries per window
 */
function createQuotaWindow(limit: number): QuotaWindow {
  let times: number[] = []
  let earliest = Infinity

  function prune(now: number): void {
    const from = now - quotaWindowMs
    if (earliest > from) return
    times = times.filter((time) => time > from)
    earliest = times.reduce((least, time) => Math.min(least, time), Infinity)
  }

  return {
    used(now) {
      prune(now)
      return times.length
    },
    allows(now) {
      if (times.length < limit) return true
      prune(now)
      return times.length < limit
    },
    count(at) {
      times.push(at)
      earliest = Math.min(earliest, at)
    },
  }
}

export interface QuotaUsage {
  used: number
  /** Absent = no limit. */
  limit?: number
  windowMs: number
}

/** Quota windows of all webhooks. */
export interface Quotas {
  allows(webhookId: string): boolean
  count(webhookId: string): void
  /** Drops the window of a deleted webhook. */
  forget(webhookId: string): void
  usage: (webhookId: string) => QuotaUsage
  /**
   * Counts again from the delivery log, after a start or a reset. Deliveries that the caps of the log have dropped are
   * no longer counted.
   */
  recount(deliveries: Iterable<Pick<Delivery, 'webhookId' | 'createdAt' | 'derivedFrom'>>): void
}

/** @param limit deliveries of one webhook per window; `undefined` = no limit */
export function createQuotas(limit: number | undefined, clock: Pick<Clock, 'now'>): Quotas {
  const windows = new Map<string, QuotaWindow>()

  function countAt(webhookId: string, at: number): void {
    if (limit === undefined) return
    const window = windows.get(webhookId) ?? createQuotaWindow(limit)
    windows.set(webhookId, window)
    window.count(at)
  }

  return {
    allows: (webhookId) => windows.get(webhookId)?.allows(clock.now()) ?? limit !== 0,
    count: (webhookId) => countAt(webhookId, clock.now()),
    forget: (webhookId) => void windows.delete(webhookId),
    usage: (webhookId) => ({
      used: windows.get(webhookId)?.used(clock.now()) ?? 0,
      windowMs: quotaWindowMs,
      ...omitUndefined({ limit }),
    }),
    recount(deliveries) {
      windows.clear()
      for (const { webhookId, createdAt, derivedFrom } of deliveries) {
        if (derivedFrom === undefined) countAt(webhookId, createdAt)
      }
    },
  }
}
