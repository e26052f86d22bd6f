import type { ControlCall } from '../../contract/control-call.ts'
import { createTurns } from '../../core/turns.ts'

/** Sandbox from which a segment of the log is read. */
export interface SegmentSource {
  /** Number of the fork, from 1; absent for the sandbox that the run began with. */
  readonly fork?: number
  readonly call: ControlCall
  /** Ids of deliveries from a fork or a restored snapshot: they belong to an earlier segment. */
  readonly inherited: ReadonlySet<string>
}

/** Reads a segment; it must not reject. */
type SegmentListener = (source: SegmentSource) => Promise<void>

/**
 * Segments of the log of a run. A segment begins with the start, a reset or a restore, and ends with the next one;
 * a fork has segments of its own. Listeners read a segment before its end deletes it. Without listeners, a reset
 * has no additional cost.
 */
export interface LogSegments {
  /** Resets and restores so far. */
  readonly resets: number
  /** Sets how the log of this sandbox is read, and the ids of the deliveries that its state has. */
  readBy(call: ControlCall, deliveryIds: () => Iterable<string>): void
  /**
   * Adds a listener for the segments of this sandbox and of all forks made from it.
   * @returns removes it
   */
  onEnd(listener: SegmentListener): () => void
  /** Ends the present segment, then deletes it; one at a time, so that no segment is read twice. */
  endBefore<T>(deletes: () => T | Promise<T>): Promise<T>
  /** Ends the segments of all open sandboxes of the run, this one first, then its forks; nothing is read afterwards. */
  endAll(): Promise<void>
  /** Creates the segments of a fork, which the same listeners read. */
  ofFork(): LogSegments
  /** Ends the last segment. @returns `undefined` when there is no listener to wait for */
  close(): Promise<void> | undefined
}

/** State that a sandbox and its forks share. */
interface Shared {
  readonly listeners: Set<SegmentListener>
  /** Functions that end the last segment of each open sandbox. */
  readonly open: Set<() => Promise<void>>
  readonly ending: Set<Promise<unknown>>
  forks: number
}

export function createLogSegments(): LogSegments {
  return segmentsOf({ listeners: new Set(), open: new Set(), ending: new Set(), forks: 0 })
}

function segmentsOf(shared: Shared, fork?: number): LogSegments {
  const { listeners, open, ending } = shared
  let source: SegmentSource | undefined
  let begin = () => {}
  let resets = 0
  const runInTurn = createTurns()

  function inTurn<T>(step: () => T | Promise<T>): Promise<T> {
    const done = runInTurn(step)
    const over = done.catch(() => undefined)
    ending.add(over)
    return done.finally(() => ending.delete(over))
  }
  async function read(): Promise<void> {
    const present = source
    if (present === undefined) return
    await Promise.all([...listeners].map((listener) => listener(present)))
  }
  function endLast(): Promise<void> {
    open.delete(endLast)
    return inTurn(async () => {
      await read()
      source = undefined
    })
  }
  return {
    get resets() {
      return resets
    },
    readBy(call, deliveryIds) {
      begin = () => {
        const isFirst = source === undefined && fork === undefined
        const inherited = new Set(isFirst || listeners.size === 0 ? [] : deliveryIds())
        source = { ...(fork === undefined ? {} : { fork }), call, inherited }
      }
      begin()
      open.add(endLast)
    },
    onEnd(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    endBefore: (deletes) =>
      inTurn(async () => {
        await read()
        const result = await deletes()
        resets += 1
        if (source !== undefined) begin()
        return result
      }),
    async endAll() {
      await Promise.all(ending)
      for (const end of open) await end()
    },
    ofFork: () => segmentsOf(shared, ++shared.forks),
    close() {
      if (listeners.size > 0) return endLast()
      open.delete(endLast)
      return undefined
    },
  }
}
