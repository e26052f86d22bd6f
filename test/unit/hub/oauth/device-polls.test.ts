import { describe, expect, test } from 'vitest'
import { createClock } from '../../../../server/core/clock.ts'
import { createDevicePolls } from '../../../../server/hub/oauth/device-polls.ts'

function setUp(intervalSeconds?: number) {
  let real = 0
  const clock = createClock({ realNow: () => real })
  return {
    clock,
    polls: createDevicePolls(clock, intervalSeconds),
    elapse: (ms: number) => {
      real += ms
    },
  }
}

describe('device polls (RFC 8628 §3.5)', () => {
  test('polls have an interval of 5 s by default, with some tolerance for timers', () => {
    const { polls, elapse } = setUp()
    expect(polls.tooFast('a')).toBe(false)
    elapse(4750)
    expect(polls.tooFast('a')).toBe(false)
    elapse(4749)
    expect(polls.tooFast('a')).toBe(true)
    expect(polls.intervalSeconds('a')).toBe(10)
  })

  test('polls use the interval of the settings', () => {
    const { polls, elapse } = setUp(1)
    polls.tooFast('a')
    elapse(1000)
    expect(polls.tooFast('a')).toBe(false)
    elapse(100)
    expect(polls.tooFast('a')).toBe(true)
    expect(polls.intervalSeconds('a')).toBe(6)
  })

  test('the interval counts real time under a frozen clock, and sandbox time after an advance', () => {
    const { clock, polls, elapse } = setUp()
    clock.freeze()
    polls.tooFast('a')
    elapse(5000)
    expect(polls.tooFast('a')).toBe(false)
    clock.advance(5000)
    expect(polls.tooFast('a')).toBe(false)
  })

  test('the remaining wait is computed from the clock that went further', () => {
    const { clock, polls, elapse } = setUp()
    expect(polls.waitMs('a')).toBe(0)
    polls.tooFast('a')
    expect(polls.waitMs('a')).toBe(4750)
    elapse(1000)
    expect(polls.waitMs('a')).toBe(3750)
    polls.tooFast('a')
    clock.advance(9749)
    expect(polls.waitMs('a')).toBe(1)
    clock.advance(1)
    expect(polls.waitMs('a')).toBe(0)
    expect(polls.tooFast('a')).toBe(false)
  })

  test('the polls of one device or of all devices are deleted', () => {
    const { polls } = setUp()
    for (const code of ['a', 'b']) polls.tooFast(code)
    polls.forget('a')
    expect(polls.tooFast('a')).toBe(false)
    expect(polls.tooFast('b')).toBe(true)
    polls.clear()
    expect(polls.tooFast('b')).toBe(false)
  })
})
