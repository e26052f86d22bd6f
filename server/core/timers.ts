// oxlint-disable no-restricted-imports -- the one place that takes them from Node
import { performance as stopwatch } from 'node:perf_hooks'
import timers from 'node:timers'
import promises from 'node:timers/promises'

/**
 * Timers of Node, captured when the module loads. Tests replace the global ones (`vi.useFakeTimers()`,
 * `jest.useFakeTimers()`, `mock.timers` of node:test) for the code under test, and a sandbox in the same process would
 * wait for ever. All waiting code uses these.
 */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers

/** Resolves after `ms` milliseconds, or rejects when the signal is aborted. */
export const sleep = promises.setTimeout

/** Resolves in the next turn of the event loop. */
export const nextTurn: () => Promise<void> = promises.setImmediate

/** Monotonic clock for measuring durations. */
export const performance = stopwatch
