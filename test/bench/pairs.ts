import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './children.ts'
import { median, noise } from './statistics.ts'
import type { Goal, Result } from './row.ts'

/** Times of the same work in one round, in milliseconds. */
export interface Pair {
  ours: number
  baseline: number
}

/** Runs both, in alternating order: the machine may slow down within a round. */
export async function inBothOrders<T>(
  round: number,
  { ours, baseline }: { ours: () => Promise<T>; baseline: () => Promise<T> },
): Promise<{ ours: T; baseline: T }> {
  if (round % 2 === 0) return { ours: await ours(), baseline: await baseline() }
  const first = await baseline()
  return { ours: await ours(), baseline: first }
}

/** Runs `act`. @returns its time in milliseconds */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}

/** Runs `act`. @returns its time in milliseconds, and the memory that a program took meanwhile, in bytes */
export async function watched(
  child: Child,
  act: () => Promise<void>,
): Promise<{ ms: number; bytes: number }> {
  const residentBytes = async () => (await child.usage()).residentBytes
  const before = await residentBytes()
  const over = new AbortController()
  let most = before
  const watching = (async () => {
    while (!over.signal.aborted) {
      most = Math.max(most, await residentBytes())
      await sleep(50)
    }
  })()
  const ms = await timed(act)
  over.abort()
  await watching
  return { ms, bytes: most - before }
}

/** Ratio of times: lower is better. */
export function timeResult(what: string, pairs: readonly Pair[], goal?: Goal): Result {
  return resultOf(
    what,
    pairs,
    pairs.map(({ ours, baseline }) => ours / baseline),
    goal,
  )
}

/** Ratio of speeds: higher is better. */
export function speedResult(what: string, pairs: readonly Pair[], goal: Goal): Result {
  return resultOf(
    what,
    pairs,
    pairs.map(({ ours, baseline }) => baseline / ours),
    goal,
  )
}

function resultOf(
  what: string,
  pairs: readonly Pair[],
  ratios: readonly number[],
  goal: Goal | undefined,
): Result {
  const baseline = pairs.map((pair) => pair.baseline)
  return {
    what,
    ours: inMs(median(pairs.map(({ ours }) => ours))),
    baseline: inMs(median(baseline)),
    ratio: median(ratios),
    noise: noise(ratios),
    baselineNoise: noise(baseline),
    ...(goal === undefined ? {} : { goal }),
  }
}

function inMs(ms: number): string {
  return `${ms < 20 ? ms.toFixed(1) : Math.round(ms)} ms`
}
