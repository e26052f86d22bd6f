import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ClockReading, createClock } from '../../../server/core/clock.ts'

vi.hoisted(() => vi.resetModules())
vi.mock('../../../server/core/timers.ts', async (ofNode) => {
  const { presentTimers } = await import('../../helpers/present-timers.ts')
  return presentTimers(await ofNode())
})

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

describe('clock', () => {
  test('the clock follows real time with an offset', () => {
    const clock = createClock()
    clock.advance(5000)
    vi.advanceTimersByTime(100)
    expect(clock.now()).toBe(5100)
    clock.advance(-4000)
    expect(clock.now()).toBe(1100)
    clock.set(1_000_000)
    vi.advanceTimersByTime(1)
    expect(clock.read()).toEqual({ now: 1_000_001, frozen: false, offsetMs: 999_900 })
  })

  test('the offset is exactly the distance that the clock was moved', () => {
    let real = 1000
    const clock = createClock({ realNow: () => real++ })
    expect(clock.read()).toMatchObject({ offsetMs: 0 })
    clock.advance(5000)
    const { now, offsetMs } = clock.read()
    expect(offsetMs).toBe(5000)
    expect(now).toBe(real - 1 + 5000)
    clock.freeze(2000)
    expect(clock.read()).toMatchObject({ now: 2000, offsetMs: 2000 - (real - 1) })
  })

  test('the clock stays within the range of dates', () => {
    const clock = createClock()
    expect(() => clock.advance(-1)).toThrow(RangeError)
    expect(() => clock.set(8.64e15)).toThrow(RangeError)
    expect(() => clock.set(Number.NaN)).toThrow(RangeError)
    expect(clock.read()).toEqual({ now: 0, frozen: false, offsetMs: 0 })
  })

  test('a frozen clock moves only by hand, and resumes from there', () => {
    const clock = createClock()
    clock.freeze()
    vi.advanceTimersByTime(1000)
    expect(clock.now()).toBe(0)
    clock.advance(50)
    expect(clock.read()).toEqual({ now: 50, frozen: true, offsetMs: -950 })
    clock.resume()
    vi.advanceTimersByTime(10)
    expect(clock.now()).toBe(60)
    clock.resume()
    expect(clock.now()).toBe(60)
    clock.reset()
    expect(clock.now()).toBe(1010)
  })

  test('freezing stops the clock at the given time', () => {
    let real = 1000
    // Every look at the time takes a millisecond.
    const clock = createClock({ realNow: () => real++ })
    clock.freeze(42)
    expect([clock.now(), clock.now()]).toEqual([42, 42])
    clock.freeze(50)
    expect(clock.now()).toBe(50)
    expect(() => clock.freeze(8.64e15)).toThrow(RangeError)
    expect(clock.read()).toMatchObject({ now: 50, frozen: true })
  })

  test('the clock continues from an earlier run', () => {
    expect(createClock({ initial: { offsetMs: 500 } }).now()).toBe(500)
    expect(createClock({ initial: { frozenAt: 42 } }).read()).toMatchObject({
      now: 42,
      frozen: true,
    })
  })

  test('callbacks run when due, asynchronously, the earliest first', () => {
    const clock = createClock()
    const called: string[] = []
    clock.at(2000, () => called.push('second'))
    clock.at(1000, () => called.push('first'))
    clock.at(-1, () => called.push('past'))
    expect(called).toEqual([])
    vi.advanceTimersByTime(1999)
    expect(called).toEqual(['past', 'first'])
    clock.advance(1)
    expect(called).toEqual(['past', 'first'])
    vi.advanceTimersByTime(0)
    expect(called).toEqual(['past', 'first', 'second'])
    vi.advanceTimersByTime(10_000)
    expect(called).toHaveLength(3)
  })

  test('under a frozen clock, callbacks run only after a move', () => {
    const clock = createClock({ initial: { frozenAt: 0 } })
    const callback = vi.fn<() => void>()
    clock.at(1000, callback)
    vi.advanceTimersByTime(60_000)
    expect(callback).not.toHaveBeenCalled()
    clock.advance(1000)
    vi.advanceTimersByTime(0)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  test('a callback can be cancelled', () => {
    const clock = createClock()
    const callback = vi.fn<() => void>()
    const cancel = clock.at(10, callback)
    cancel()
    cancel()
    vi.advanceTimersByTime(100)
    expect(callback).not.toHaveBeenCalled()
  })

  test('the timer is kept while it is early enough', () => {
    const clock = createClock()
    const heard: string[] = []
    const set = countTimers(() => {
      clock.at(1000, () => heard.push('first'))
      for (let later = 1001; later < 1100; later += 1) clock.at(later, () => undefined)()
    })
    expect(set).toBe(1)
    expect(countTimers(() => clock.at(500, () => heard.push('earlier')))).toBe(1)
    vi.advanceTimersByTime(999)
    expect(heard).toEqual(['earlier'])
    vi.advanceTimersByTime(1)
    expect(heard).toEqual(['earlier', 'first'])
  })

  test('a sleep of the machine is noticed within a minute', () => {
    const clock = createClock()
    const callback = vi.fn<() => void>()
    clock.at(10 * 3_600_000, callback)
    vi.advanceTimersByTime(90_000)
    vi.setSystemTime(10 * 3_600_000)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(60_000)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  test('callbacks set after a sleep run on time', () => {
    const clock = createClock()
    const [tomorrow, soon] = [vi.fn<() => void>(), vi.fn<() => void>()]
    clock.at(24 * 3_600_000, tomorrow)
    vi.setSystemTime(3_600_000)
    clock.at(3_600_000 + 2000, soon)
    vi.advanceTimersByTime(1999)
    expect(soon).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2)
    expect(soon).toHaveBeenCalledTimes(1)
    expect(tomorrow).not.toHaveBeenCalled()
  })

  test('a callback may wait longer than a timer of Node', () => {
    const clock = createClock()
    const callback = vi.fn<() => void>()
    const month = 30 * 86_400_000
    clock.at(month, callback)
    vi.advanceTimersByTime(month - 1)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  test('a callback that throws does not stop the others', () => {
    const report = vi.fn<(message: string) => void>()
    const clock = createClock({ report })
    const callback = vi.fn<() => void>()
    clock.at(10, () => {
      throw new Error('broken')
    })
    clock.at(10, callback)
    clock.at(20, callback)
    vi.advanceTimersByTime(20)
    expect(callback).toHaveBeenCalledTimes(2)
    expect(report.mock.calls).toEqual([['a timer of the clock failed: broken']])
  })

  test('listeners get every change until they unsubscribe', () => {
    const clock = createClock()
    const readings: ClockReading[] = []
    const stop = clock.onChange((reading) => readings.push(reading))
    clock.advance(1)
    clock.freeze()
    stop()
    clock.resume()
    expect(readings).toEqual([
      { now: 1, frozen: false, offsetMs: 1 },
      { now: 1, frozen: true, offsetMs: 1 },
    ])
  })

  test('listeners get no event when nothing changed', () => {
    const clock = createClock()
    const readings: ClockReading[] = []
    clock.onChange((reading) => readings.push(reading))
    clock.reset()
    clock.resume()
    clock.advance(0)
    expect(readings).toEqual([])
    clock.freeze()
    clock.freeze()
    clock.set(clock.now())
    expect(readings).toEqual([{ now: 0, frozen: true, offsetMs: 0 }])
    clock.reset()
    expect(readings).toHaveLength(2)
  })

  test('a closed clock runs no callbacks', () => {
    const clock = createClock()
    const callback = vi.fn<() => void>()
    clock.at(10, callback)
    clock.close()
    clock.at(20, callback)
    vi.advanceTimersByTime(100)
    expect(callback).not.toHaveBeenCalled()
  })
})

/** How many timers `act` sets. A spy would put the false function back when the timers are real again. */
function countTimers(act: () => void): number {
  const { setTimeout: set } = globalThis
  let count = 0
  globalThis.setTimeout = ((...parts: Parameters<typeof set>) => {
    count += 1
    return set(...parts)
  }) as typeof set
  try {
    act()
  } finally {
    globalThis.setTimeout = set
  }
  return count
}
