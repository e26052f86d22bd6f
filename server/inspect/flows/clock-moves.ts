import type { Clock, ClockReading } from '../../core/clock.ts'
import { performance } from '../../core/timers.ts'

/** Move of the sandbox clock. */
export interface ClockMove {
  /** Number of the move, from 1. */
  readonly number: number
  /** Real milliseconds since the process started, as for requests. */
  readonly happenedMs: number
  /** Sandbox time after the move, in milliseconds since 1970. */
  readonly now: number
  /** Distance in milliseconds, negative for a move back. */
  readonly movedMs: number
}

/** Number of latest moves that are kept: more than a sign-in has. */
const keptMoves = 1000

/** Smaller differences are imprecision of the machine. */
const leastMoveMs = 50

/** Records the moves of a clock from now on. Freezing and resuming are not moves. */
export function noteClockMoves(clock: Pick<Clock, 'onChange' | 'read' | 'realNow'>): {
  values(): readonly ClockMove[]
  /** Replaces the moves by those of an earlier run, because restoring that run's clock was not a move. */
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
