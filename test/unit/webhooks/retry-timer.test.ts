import { expect, test } from 'vitest'
import { createClock } from '../../../server/core/clock.ts'
import { createRetryTimer } from '../../../server/webhooks/retry-timer.ts'

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
