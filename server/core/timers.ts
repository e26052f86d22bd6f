import { performance as stopwatch } from 'node:perf_hooks'
import timers from 'node:timers'
import promises from 'node:timers/promises'

/**
 * The timers of Node and its stopwatch, taken when the program is loaded. A test that puts others in their place (`vi.useFakeTimers()`,
 * `jest.useFakeTimers()`, `mock.timers` of node:test) means those of what it tests: a sandbox in the same process would
 * wait for ever. Whoever has to wait takes them from here.
 */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers

/** Resolves after so many milliseconds, or rejects when the signal is aborted. */
export const sleep = promises.setTimeout

/** Resolves in the next turn of the event loop. */
export const nextTurn: () => Promise<void> = promises.setImmediate

/** How long something takes, which the time of the machine cannot tell. */
export const performance = stopwatch
