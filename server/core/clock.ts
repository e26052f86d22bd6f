import { earliestClockMs, latestClockMs } from '../contract/fixtures/limits.ts'
import { inBackground, type Report, warn } from './background.ts'
import { clearTimeout, setTimeout } from './timers.ts'

/**
 * Clock of a sandbox. Everything that expires, retries or has a date uses it, so a test can move eight hours ahead
 * without waiting. Only network deadlines run on real time.
 */
export interface Clock {
  /** Sandbox time in milliseconds since 1970. */
  now(): number
  /** Real time in milliseconds since 1970, for checks of how fast a client really is. */
  realNow(): number
  read(): ClockReading
  /**
   * Moves the time by `ms` (back, if negative) and fires the timers that became due.
   * @throws {RangeError} beyond {@link isClockTime}
   */
  advance(ms: number): void
  /** @throws {RangeError} beyond {@link isClockTime} */
  set(ms: number): void
  /**
   * Freezes the clock.
   * @param ms time to freeze at; default: now
   */
  freeze(ms?: number): void
  /** Resumes a frozen clock. */
  resume(): void
  /** Returns to real time. */
  reset(): void
  /**
   * Calls back once, never synchronously, when the sandbox time reaches `at`.
   * @returns a function that cancels it
   */
  at(at: number, callback: () => void): () => void
  /** Calls back after the clock was moved, frozen or resumed, unless that changed nothing. */
  onChange(listener: (reading: ClockReading) => void): () => void
  /** Drops all timers. */
  close(): void
}

export interface ClockReading {
  now: number
  frozen: boolean
  /** Milliseconds that the sandbox is ahead of real time. */
  offsetMs: number
}

export interface ClockOptions {
  /** Source of real time, injected for tests. */
  realNow?: () => number
  /** Clock of an earlier run. */
  initial?: { offsetMs?: number; frozenAt?: number }
  /** Receives errors of timers; the others still fire. */
  report?: Report
}

/** Checks whether a clock can have this time: later expiries must be valid dates as well. */
export function isClockTime(ms: number): boolean {
  return ms >= earliestClockMs && ms <= latestClockMs
}

function assertClockTime(ms: number): void {
  if (!isClockTime(ms)) throw new RangeError(`the clock cannot go to ${ms} ms from 1970`)
}

/** Longest time between two checks: timers do not notice that the machine slept or its time was changed. */
const longestDelayMs = 60_000

/** A timer that is late by more than this also counts time during which the machine slept. */
const longestLateMs = 1000

export function createClock({
  realNow = Date.now,
  initial = {},
  report = warn,
}: ClockOptions = {}): Clock {
  let offsetMs = initial.offsetMs ?? 0
  let frozenAt = initial.frozenAt
  let closed = false
  /** The timer and the real time that it was set for. */
  let wake: { timer: NodeJS.Timeout; at: number } | undefined
  const timers = new Set<{ at: number; callback: () => void }>()
  const listeners = new Set<(reading: ClockReading) => void>()

  const now = () => frozenAt ?? realNow() + offsetMs
  const read = (): ClockReading => {
    // Reads real time once: between two reads it advances, and the clock would seem to be behind.
    const real = realNow()
    const time = frozenAt ?? real + offsetMs
    return { now: time, frozen: frozenAt !== undefined, offsetMs: time - real }
  }

  function nextDue(): number | undefined {
    let earliest: number | undefined
    for (const { at } of timers) if (earliest === undefined || at < earliest) earliest = at
    return earliest
  }

  function disarm(): void {
    clearTimeout(wake?.timer)
    wake = undefined
  }

  function schedule(): void {
    const due = nextDue()
    if (closed || due === undefined || (frozenAt !== undefined && due > frozenAt)) return disarm()
    const delay = Math.min(Math.max(due - now(), 0), longestDelayMs)
    const real = realNow()
    const at = real + delay
    // A timer that fires early checks again. Recreating it for every change would cost memory: Node keeps a list for
    // each delay until that has passed.
    if (wake !== undefined && wake.at <= at && real - wake.at <= longestLateMs) return
    disarm()
    wake = { timer: setTimeout(fire, delay).unref(), at }
  }

  function fire(): void {
    wake = undefined
    const time = now()
    const due = [...timers].filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at)
    for (const timer of due) timers.delete(timer)
    for (const { callback } of due) inBackground(report, 'a timer of the clock', callback)
    schedule()
  }

  /** No listener is called if nothing changed. */
  function change(to: { offsetMs: number; frozenAt: number | undefined }): void {
    if (to.offsetMs === offsetMs && to.frozenAt === frozenAt) return
    offsetMs = to.offsetMs
    frozenAt = to.frozenAt
    disarm()
    schedule()
    const reading = read()
    for (const listener of listeners) listener(reading)
  }

  return {
    now,
    realNow,
    read,
    advance(ms) {
      assertClockTime(now() + ms)
      if (frozenAt === undefined) change({ offsetMs: offsetMs + ms, frozenAt })
      else change({ offsetMs, frozenAt: frozenAt + ms })
    },
    set(ms) {
      assertClockTime(ms)
      if (frozenAt === undefined) change({ offsetMs: ms - realNow(), frozenAt })
      else change({ offsetMs, frozenAt: ms })
    },
    freeze(ms = now()) {
      assertClockTime(ms)
      change({ offsetMs, frozenAt: ms })
    },
    resume() {
      if (frozenAt !== undefined) change({ offsetMs: frozenAt - realNow(), frozenAt: undefined })
    },
    reset() {
      change({ offsetMs: 0, frozenAt: undefined })
    },
    at(at, callback) {
      const timer = { at, callback }
      timers.add(timer)
      schedule()
      return () => {
        if (timers.delete(timer)) schedule()
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      closed = true
      timers.clear()
      listeners.clear()
      disarm()
    },
  }
}
