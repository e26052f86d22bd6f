import type { Clock } from '../../../core/clock.ts'
import { insertSorted } from '../../../core/insert-sorted.ts'
import type { RealTime } from '../../../core/real-time.ts'

export interface DueRetry {
  deliveryId: string
  at: number
}

/** Waits for many retries with one timer of the sandbox clock, set to the earliest. */
export interface RetryTimer {
  add(retry: DueRetry): void
  /** Returns whether a retry is due that was not passed to `onDue` yet. */
  hasDue: () => boolean
  clear(): void
  close(): void
}

/** Longest delay of a retry after the machine has slept. */
const sweepMs = 1000

// Moving the clock by hours can make thousands of retries due; other work runs between the portions.
const portion = 200

/**
 * @param realTime for a regular check, because timers stand still while the machine sleeps
 * @param onDue called with the retries that became due, the earliest first, and whether the clock was moved
 */
export function createRetryTimer(
  clock: Clock,
  realTime: Pick<RealTime, 'after'>,
  onDue: (due: readonly DueRetry[], wasMoved: boolean) => void,
): RetryTimer {
  /** The earliest first. */
  const waiting: DueRetry[] = []
  let armedFor: number | undefined
  let disarm = (): void => {}
  let wasMoved = false
  let isClosed = false
  let stopSweeping: (() => void) | undefined
  const stopListening = clock.onChange(() => {
    wasMoved = true
  })

  function sweep(): void {
    stopSweeping = undefined
    if (hasDue()) fire()
    else arm()
  }

  function arm(): void {
    const at = waiting[0]?.at
    if (at === undefined) {
      stopSweeping?.()
      stopSweeping = undefined
    } else stopSweeping ??= realTime.after(sweepMs, sweep)
    if (at === armedFor) return
    disarm()
    armedFor = at
    if (at !== undefined) disarm = clock.at(at, fire)
  }

  function fire(): void {
    disarm()
    armedFor = undefined
    const now = clock.now()
    const later = waiting.slice(0, portion).findIndex(({ at }) => at > now)
    const due = waiting.splice(0, later < 0 ? portion : later)
    const moved = wasMoved
    if (!hasDue()) wasMoved = false
    onDue(due, moved)
    arm()
  }

  function hasDue(): boolean {
    return waiting[0] !== undefined && waiting[0].at <= clock.now()
  }

  function clear(): void {
    waiting.length = 0
    arm()
  }

  return {
    add(retry) {
      // An attempt in flight during `close` fails afterwards, and would start the timer again.
      if (isClosed) return
      insertSorted(waiting, retry, (a, b) => a.at - b.at)
      arm()
    },
    hasDue,
    clear,
    close() {
      isClosed = true
      clear()
      stopListening()
    },
  }
}
