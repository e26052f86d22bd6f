import { expect, test } from 'vitest'
import { createClock } from '../../../server/core/clock.ts'
import { noteClockMoves } from '../../../server/inspect/flows/clock-moves.ts'

test('says how far the clock was moved, and nothing of what was no move', () => {
  let real = 1_700_000_000_000
  const clock = createClock({ realNow: () => real })
  const moves = noteClockMoves(clock)
  clock.advance(10_000)
  real += 5000
  clock.freeze()
  real += 60_000
  clock.advance(-3000)
  clock.resume()
  real += 1000
  clock.reset()
  expect(moves.values()).toMatchObject([
    { number: 1, movedMs: 10_000 },
    { number: 2, movedMs: -3000, now: 1_700_000_012_000 },
    { number: 3, movedMs: 53_000, now: real },
  ])
  clock.close()
})
