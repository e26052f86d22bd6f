import { expect, test, vi } from 'vitest'
import { createClock } from '../../../../server/core/clock.ts'
import { createRetryTimer } from '../../../../server/hub/webhooks/engine/retry-timer.ts'

test('a retry that comes when the timer is closed starts nothing', () => {
  const clock = createClock({ realNow: () => 0 })
  let sweeps = 0
  const realTime = {
    after() {
      sweeps += 1
      return () => {
        sweeps -= 1
      }
    },
  }
  const timer = createRetryTimer(clock, realTime, () => {})
  timer.add({ deliveryId: 'before', at: 1000 })
  expect(sweeps).toBe(1)
  timer.close()
  expect(sweeps).toBe(0)
  timer.add({ deliveryId: 'under way when it was closed', at: 2000 })
  expect(sweeps).toBe(0)
  clock.close()
})

test('thousands that a moved clock makes due come in portions, with other work between them', async () => {
  const clock = createClock({ initial: { frozenAt: 0 } })
  const portions: number[] = []
  let turns = 0
  const turnOf: number[] = []
  const came: string[] = []
  const moved = new Set<boolean>()
  const timer = createRetryTimer(clock, { after: () => () => {} }, (due, wasMoved) => {
    turnOf.push(turns)
    moved.add(wasMoved)
    portions.push(due.length)
    came.push(...due.map(({ deliveryId }) => deliveryId))
    // What comes in meanwhile has its turn before the next portion.
    setImmediate(() => (turns += 1))
  })
  const ids = Array.from({ length: 6000 }, (_, index) => `delivery-${index}`)
  for (const [index, deliveryId] of ids.entries()) timer.add({ deliveryId, at: 1 + index })
  clock.advance(3 * 86_400_000)
  expect(portions).toEqual([])
  await vi.waitFor(() => expect(came).toHaveLength(ids.length), { timeout: 20_000 })
  timer.close()
  clock.close()
  expect(came).toEqual(ids)
  expect(Math.max(...portions)).toBeLessThanOrEqual(200)
  expect(turnOf).toEqual(portions.map((_size, index) => index))
  expect([...moved]).toEqual([true])
})

test('retries come in the order of their times, and of equal times in that of their additions', () => {
  const clock = createClock({ initial: { frozenAt: 0 } })
  const came: string[] = []
  const timer = createRetryTimer(clock, { after: () => () => {} }, (due) =>
    came.push(...due.map(({ deliveryId }) => deliveryId)),
  )
  for (const [deliveryId, at] of Object.entries({ c: 5, a: 2, d: 5, later: 9, b: 3, e: 5 }))
    timer.add({ deliveryId, at })
  clock.advance(6)
  return vi
    .waitFor(() => expect(came).toEqual(['a', 'b', 'c', 'd', 'e']))
    .finally(() => {
      timer.close()
      clock.close()
    })
})
