import type { Deps } from '../../deps.ts'
import type { Delivery } from '../../../store/entities/webhook-entities.ts'
import { dropJob } from '../../jobs/job-retention.ts'

/** Keeps the delivery log within its caps: drops the oldest finished deliveries with their attempts and bodies. */
export interface Retention {
  /** Bytes of stored request and response bodies. */
  bytes(): number
  grew(bytes: number): void
  finished(delivery: Delivery): void
  /** Counts a new event row with this many skipped webhooks. */
  skipped(count: number): void
  /** Keeps a delivery in the log while an attempt is in flight; returns a function that ends this. */
  protect(deliveryId: string): () => void
  enforce(): void
  /** Counts the contents of the state again, after a start or a reset. */
  recount(): void
}

export function createRetention(deps: Pick<Deps, 'state' | 'settings'>): Retention {
  const { state } = deps
  const { deliveries: deliveryCap, deliveryBytes: byteCap } = deps.settings.caps
  let finished: { id: string; finishedAt: number | undefined }[] = []
  const inUse = new Map<string, number>()
  let bytes = 0
  let skippedEntries = 0

  function drop(delivery: Delivery): void {
    for (const attempt of state.attempts.group('delivery', delivery.id)) {
      bytes -= attempt.response?.body.length ?? 0
      state.attempts.delete(attempt.id)
      if (attempt.jobId !== undefined) dropJob(state, attempt.jobId)
    }
    bytes -= state.deliveryBodies.get(delivery.id)?.bytes ?? 0
    state.deliveryBodies.delete(delivery.id)
    state.deliveries.delete(delivery.id)
  }

  return {
    bytes: () => bytes,
    grew(more) {
      bytes += more
    },
    finished({ id, finishedAt }) {
      finished.push({ id, finishedAt })
    },
    skipped(count) {
      skippedEntries += count
    },
    protect(deliveryId) {
      inUse.set(deliveryId, (inUse.get(deliveryId) ?? 0) + 1)
      return () => {
        const uses = (inUse.get(deliveryId) ?? 1) - 1
        if (uses === 0) inUse.delete(deliveryId)
        else inUse.set(deliveryId, uses)
      }
    },
    enforce() {
      let untried = finished.length
      while ((state.deliveries.size > deliveryCap || bytes > byteCap) && untried-- > 0) {
        const oldest = finished.shift()
        const delivery = oldest && state.deliveries.get(oldest.id)
        // Reopened since then: a later entry stands for it, or will.
        if (delivery?.finishedAt === undefined || delivery.finishedAt !== oldest?.finishedAt)
          continue
        if (inUse.has(delivery.id)) finished.push(oldest)
        else drop(delivery)
      }
      while (skippedEntries > deliveryCap) {
        const oldest = state.skippedEvents.first()
        if (oldest === undefined) break
        skippedEntries -= oldest.webhooks.length
        state.skippedEvents.delete(oldest.id)
      }
    },
    recount() {
      finished = []
      inUse.clear()
      bytes = 0
      skippedEntries = 0
      for (const body of state.deliveryBodies.values()) bytes += body.bytes
      for (const { response } of state.attempts.values()) bytes += response?.body.length ?? 0
      for (const event of state.skippedEvents.values()) skippedEntries += event.webhooks.length
      for (const delivery of state.deliveries.values()) {
        if (delivery.finishedAt !== undefined) {
          finished.push({ id: delivery.id, finishedAt: delivery.finishedAt })
        }
      }
    },
  }
}
