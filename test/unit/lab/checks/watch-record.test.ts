import { describe, expect, test } from 'vitest'
import { watchRecord } from '../../../../server/lab/checks/watch-record.ts'

/** Time that passes by hand, and an examination that takes some time. */
function world({ half = 10, examineMs = 6, fails = false } = {}) {
  let now = 0
  let timers: { at: number; act: () => void }[] = []
  let turns: (() => void)[] = []
  let examinations = 0
  function examine() {
    examinations += 1
    if (fails) throw new Error('a rule fails')
    now += examineMs
  }
  const realTime = {
    after(ms: number, act: () => void) {
      const timer = { at: now + ms, act }
      timers.push(timer)
      return () => void (timers = timers.filter((one) => one !== timer))
    },
    soon: (act: () => void) => void turns.push(act),
  }
  const watch = watchRecord({ realTime, now: () => now, half, examine })
  function turn(): void {
    const due = turns
    turns = []
    for (const act of due) act()
  }
  return {
    note: (times = 1) => Array.from({ length: times }, () => watch.note()),
    /** Lets time pass by the millisecond. */
    pass(ms: number) {
      const end = now + ms
      while (now < end) {
        now += 1
        const due = timers.filter(({ at }) => at <= now)
        timers = timers.filter(({ at }) => at > now)
        for (const { act } of due) act()
        turn()
      }
    },
    get examinations() {
      return examinations
    },
  }
}

describe('the record is examined', () => {
  test('after a second without a change', () => {
    const it = world()
    it.note()
    it.pass(900)
    it.note()
    it.pass(900)
    expect(it.examinations).toBe(0)
    it.pass(200)
    expect(it.examinations).toBe(1)
    it.pass(10_000)
    expect(it.examinations).toBe(1)
  })

  test('at once when half of the log is another one', () => {
    const it = world({ half: 10 })
    it.note(9)
    it.pass(1)
    expect(it.examinations).toBe(0)
    it.note()
    it.pass(1)
    expect(it.examinations).toBe(1)
  })

  test('not within the request that is noted', () => {
    const it = world({ half: 10 })
    it.note(10)
    expect(it.examinations).toBe(0)
    it.pass(1)
    expect(it.examinations).toBe(1)
  })

  test('for half a percent of the time under load', () => {
    const it = world({ half: 10, examineMs: 10 })
    for (let round = 0; round < 20_000; round++) {
      it.note(10)
      it.pass(1)
    }
    // Each takes 10 ms.
    expect(it.examinations).toBeGreaterThan(5)
    expect(it.examinations * 10).toBeLessThan(20_000 * 0.006)
  })

  test('again after an examination that failed', () => {
    const it = world({ fails: true })
    it.note()
    it.pass(1100)
    it.note()
    it.pass(1100)
    expect(it.examinations).toBe(2)
  })
})
