import type { Clock } from '../../core/clock.ts'
import type { RealTime } from '../../core/real-time.ts'

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
  const heap: Entry[] = []
  let added = 0
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
    const at = heap[0]?.at
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
    const due: DueRetry[] = []
    while (due.length < portion && heap[0] !== undefined && heap[0].at <= now) due.push(pop(heap))
    const moved = wasMoved
    if (!hasDue()) wasMoved = false
    onDue(due, moved)
    arm()
  }

  function hasDue(): boolean {
    return heap[0] !== undefined && heap[0].at <= clock.now()
  }

  function clear(): void {
    heap.length = 0
    arm()
  }

  return {
    add(retry) {
      // An attempt in flight during `close` fails afterwards, and would start the timer again.
      if (isClosed) return
      push(heap, { ...retry, order: added++ })
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

/** Retries due at the same time keep the order in which they were added. */
interface Entry extends DueRetry {
  order: number
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(heap[index], heap[parent])) return
    swap(heap, index, parent)
    index = parent
  }
}

/** Takes the earliest entry of a heap that is not empty. */
function pop(heap: Entry[]): Entry {
  swap(heap, 0, heap.length - 1)
  const least = heap.pop() as Entry
  let index = 0
  for (;;) {
    const left = 2 * index + 1
    const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left
    if (!isBefore(heap[child], heap[index])) return least
    swap(heap, index, child)
    index = child
  }
}

function isBefore(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return a.at === b.at ? a.order < b.order : a.at < b.at
}

function swap(heap: Entry[], a: number, b: number): void {
  const moved = heap[a] as Entry
  heap[a] = heap[b] as Entry
  heap[b] = moved
}
