import type { Clock } from '../../core/clock.ts'
import type { RealTime } from '../../core/real-time.ts'

export interface DueRetry {
  deliveryId: string
  at: number
}

/** Waits for many moments with one timer of the sandbox clock, for the earliest. */
export interface RetryTimer {
  add(retry: DueRetry): void
  /** Whether something is due that `onDue` was not told of yet. */
  hasDue: () => boolean
  clear(): void
  close(): void
}

/** How late a retry can be after the machine has slept. */
const sweepMs = 1000

// A clock moved by hours can make thousands due at once; other work goes on between the portions.
const portion = 200

/**
 * @param realTime timers stand still while the machine sleeps, so somebody has to look now and then
 * @param onDue told of the retries that became due, the earliest first, and whether the clock was
 * moved to get there
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
      // An attempt that was under way when it was closed fails after that, and would wake it for ever.
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

/** What is due at the same time keeps the order in which it came. */
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

/** The heap is not empty. */
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
