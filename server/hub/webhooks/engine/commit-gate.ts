import { inBackground, type Report } from '../../../core/background.ts'
import type { RealTime } from '../../../core/real-time.ts'

/** Passes items on once all changes of the state up to then are in the journal. */
export interface CommitGate<T> {
  add(item: T): void
  /** Drops the items that have not been passed on. */
  clear(): void
}

const retryAfterMs = 1000

/**
 * @param committed resolves when the changes so far are in the journal; `undefined` = they already are
 * @param onProblem called when the journal cannot be written; the items stay, and writing is retried
 * @param passOn called with each item, in order
 */
export function createCommitGate<T>(
  realTime: Pick<RealTime, 'after'>,
  committed: () => Promise<void> | undefined,
  onProblem: Report,
  passOn: (item: T) => void,
): CommitGate<T> {
  let waiting: T[] = []
  let open = false

  async function pass(): Promise<void> {
    // The rest of this synchronous run may add more items, which belong to the same journal unit.
    await Promise.resolve()
    for (;;) {
      const items = waiting
      waiting = []
      try {
        await committed()
      } catch (error) {
        waiting = [...items, ...waiting]
        onProblem(`deliveries are delayed because they cannot be stored: ${String(error)}`)
        await new Promise<void>((resolve) => realTime.after(retryAfterMs, resolve))
        continue
      }
      for (const item of items) {
        inBackground(onProblem, 'a delivery that waited to be stored', () => passOn(item))
      }
      if (waiting.length > 0) continue
      open = false
      return
    }
  }

  return {
    add(item) {
      waiting.push(item)
      if (open) return
      open = true
      void pass()
    },
    clear() {
      waiting = []
    },
  }
}
