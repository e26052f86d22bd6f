import { earliestClockMs, latestClockMs } from '../contract/fixtures/limits.ts'
import { inBackground, type Report, warn } from './background.ts'
import { clearTimeout, setTimeout } from './timers.ts'

/**
 * The one clock of a sandbox. Everything that expires, retries or is dated reads it, so a test can
 * move eight hours ahead without waiting. Network deadlines alone run on real time.
 */
export interface Clock {
  /** Milliseconds since 1970, as the sandbox sees it. */
  now(): number
  /** Milliseconds since 1970 of the machine: for what depends on how fast a client really is. */
  realNow(): number
  read(): ClockReading
  /**
   * Moves the time on by `ms` (back, if negative) and fires the timers that became due.
   * @throws {RangeError} beyond {@link isClockTime}
   */
  advance(ms: number): void
  /** @throws {RangeError} beyond {@link isClockTime} */
  set(ms: number): void
  /** Stops it. @param ms where; default: where it stands */
  freeze(ms?: number): void
  /** Lets the time run again from where it was frozen. */
  resume(): void
  /** Back to real time. */
  reset(): void
  /**
   * Calls back once, when the sandbox's time has reached `at`; never synchronously.
   * @returns a function that cancels it
   */
  at(at: number, callback: () => void): () => void
  /** Calls back when it was moved, stopped or let go: not where that left it as it was. */
  onChange(listener: (reading: ClockReading) => void): () => void
  /** Drops every timer; nothing fires any more. */
  close(): void
}

export interface ClockReading {
  now: number
  frozen: boolean
  /** How far the sandbox is ahead of real time. */
  offsetMs: number
}

export interface ClockOptions {
  /** Real time; handed in so that tests can do without it. */
  realNow?: () => number
  /** Where an earlier run left off. */
  initial?: { offsetMs?: number; frozenAt?: number }
  /** Told of timers that failed; the others fire all the same. */
  report?: Report
}

/** Whether a clock may stand there: whatever expires later must be a date as well. */
export function isClockTime(ms: number): boolean {
  return ms >= earliestClockMs && ms <= latestClockMs
}

function assertClockTime(ms: number): void {
  if (!isClockTime(ms)) throw new RangeError(`the clock cannot go to ${ms} ms from 1970`)
}

/** It looks again at least so often: the machine may have slept, or been told another time, which no timer notices. */
const longestDelayMs = 60_000

/** A timer that is later than this counts time that the machine has slept through, and may be late by all of it. */
const longestLateMs = 1000

export function createClock({
  realNow = Date.now,
  initial = {},
  report = warn,
}: ClockOptions = {}): Clock {
  let offsetMs = initial.offsetMs ?? 0
  let frozenAt = initial.frozenAt
  let closed = false
  /** The one timer, and the real moment that it was set for. */
  let wake: { timer: NodeJS.Timeout; at: number } | undefined
  const timers = new Set<{ at: number; callback: () => void }>()
  const listeners = new Set<(reading: ClockReading) => void>()

  const now = () => frozenAt ?? realNow() + offsetMs
  const read = (): ClockReading => {
    // One look at real time: it goes on between two, and a clock that runs with it would seem to be behind.
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
    // It looks again when it fires. Set anew for every change it would leave its traces: Node keeps a list for each
    // delay that was ever asked for, until that has passed.
    if (wake !== undefined && wake.at <= at && real - wake.at <= longestLateMs) return
    disarm()
    wake = { timer: setTimeout(fire, delay).unref(), at }
  }

  function fire(): void {
    wake = undefined
    const time = now()
    const due = [...timers].filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at)
    for (const timer of due) timers.delete(timer)
    for (const { callback } of due) inBackground(report, 'what was due', callback)
    schedule()
  }

  /** Where it stands there already, nobody is told. */
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
