import type { Clock, ClockReading } from '../../core/clock.ts'
import { performance } from '../../core/timers.ts'

/** The sandbox's clock was set, not only read. */
export interface ClockMove {
  /** Counts from 1. */
  readonly number: number
  /** Real time since the process began, as that of a request. */
  readonly happenedMs: number
  /** Where the clock stood afterwards, milliseconds since 1970. */
  readonly now: number
  /** How far it went, back if negative. */
  readonly movedMs: number
}

/** More than anybody makes within one sign-in; older ones go. */
const keptMoves = 1000

/** What a clock would stand at now, had nobody touched it: less is the machine's own imprecision. */
const leastMoveMs = 50

/** Notes how far a clock is moved from now on; that it is frozen or runs again is no move. */
export function noteClockMoves(clock: Pick<Clock, 'onChange' | 'read' | 'realNow'>): {
  values(): readonly ClockMove[]
  /** Those of an earlier run take the place of its own: putting that run's clock in place was no move of it. */
  recall(earlier: readonly ClockMove[]): void
} {
  let moves: ClockMove[] = []
  let count = 0
  let before = clock.read()
  clock.onChange((reading) => {
    const movedMs = reading.now - expected(before, clock.realNow())
    before = reading
    if (Math.abs(movedMs) < leastMoveMs) return
    count += 1
    const move = { number: count, happenedMs: performance.now(), now: reading.now, movedMs }
    moves = [...moves.slice(1 - keptMoves), move]
  })
  return {
    values: () => moves,
    recall(earlier) {
      moves = earlier.slice(-keptMoves)
      count = Math.max(0, ...moves.map(({ number }) => number))
    },
  }
}

function expected({ frozen, now, offsetMs }: ClockReading, realNow: number): number {
  return frozen ? now : realNow + offsetMs
}
