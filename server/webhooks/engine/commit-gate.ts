import { inBackground, type Report } from '../../core/background.ts'
import type { RealTime } from '../../core/real-time.ts'

/** Lets through what was put in when everything stored so far is in the journal. */
export interface CommitGate<T> {
  add(item: T): void
  /** Drops what has not been let through. */
  clear(): void
}

const retryAfterMs = 1000

/**
 * @param committed resolves when the changes so far are in the journal; `undefined` = they are
 * @param onProblem told when the disk refuses; the items stay and it is tried again
 * @param letThrough called with each that was added since, in order
 */
export function createCommitGate<T>(
  realTime: Pick<RealTime, 'after'>,
  committed: () => Promise<void> | undefined,
  onProblem: Report,
  letThrough: (item: T) => void,
): CommitGate<T> {
  let waiting: T[] = []
  let open = false

  async function pass(): Promise<void> {
    // The rest of this synchronous run may add more, and belongs to the same journal unit.
    await Promise.resolve()
    for (;;) {
      const items = waiting
      waiting = []
      try {
        await committed()
      } catch (error) {
        waiting = [...items, ...waiting]
        onProblem(`deliveries wait, they cannot be stored: ${String(error)}`)
        await new Promise<void>((resolve) => realTime.after(retryAfterMs, resolve))
        continue
      }
      for (const item of items) {
        inBackground(onProblem, `what waited to be stored`, () => letThrough(item))
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
