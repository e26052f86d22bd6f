import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './children.ts'
import type { Goal, Result } from './row.ts'
import { median, noise } from './statistics.ts'

const longestStallMs = 50

/** Whoever is first may find the machine in another state. */
export async function inBothOrders<T>(
  round: number,
  { ours, baseline }: { ours: () => Promise<T>; baseline: () => Promise<T> },
): Promise<{ ours: T; baseline: T }> {
  if (round % 2 === 0) return { ours: await ours(), baseline: await baseline() }
  const first = await baseline()
  return { ours: await ours(), baseline: first }
}

/** How long something takes in milliseconds, and by how much the memory of a program grows meanwhile. */
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
  const started = performance.now()
  await act()
  const ms = performance.now() - started
  over.abort()
  await watching
  return { ms, bytes: most - before }
}

/** How fast both are in doing the same once: a higher ratio is better. */
export function speedResult(
  what: string,
  taken: readonly { ours: number; baseline: number }[],
  goal: Goal,
): Result {
  const ratios = taken.map(({ ours, baseline }) => baseline / ours)
  return {
    what,
    ours: `${Math.round(median(taken.map(({ ours }) => ours)))} ms`,
    baseline: `${Math.round(median(taken.map(({ baseline }) => baseline)))} ms`,
    ratio: median(ratios),
    noise: noise(ratios),
    baselineNoise: noise(taken.map(({ baseline }) => baseline)),
    goal,
  }
}

/** Against what it may grow by. */
export function memoryResult(
  what: string,
  grown: readonly number[],
  mostMemory = 32 * 1024 * 1024,
): Result {
  const mebibytes = (bytes: number) => `+${Math.round(bytes / 1024 / 1024)} MiB`
  const most = Math.max(...grown)
  return {
    what,
    ours: mebibytes(most),
    baseline: mebibytes(mostMemory),
    ratio: most / mostMemory,
    goal: { atMost: 1 },
  }
}

/** Runs something, and adds to `stalls` how long the event loop did not come round meanwhile, at the most. */
export async function watchingStalls<T>(
  child: Child,
  stalls: number[],
  act: () => Promise<T>,
): Promise<T> {
  await child.ask('watchStalls')
  const value = await act()
  stalls.push(await child.ask<number>('longestStall'))
  return value
}

/** The median of the rounds: what else runs on the machine makes the longest of all. */
export function stallResult(what: string, stalls: readonly number[]): Result {
  return {
    what: `longest stall of the event loop, ${what}`,
    ours: `${median(stalls).toFixed(1)} ms`,
    baseline: `${longestStallMs} ms`,
    ratio: median(stalls) / longestStallMs,
    noise: noise(stalls),
    goal: { atMost: 1 },
  }
}
