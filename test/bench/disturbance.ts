import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measured } from './row.ts'

/** Load of the machine by others while a row was measured; shares from 0 to 1. */
export interface Surroundings {
  /** Share of all cores that other programs used while the bench rested before and after the row. */
  others: number
  /** Share that the host of a virtual machine took during the row. */
  stolen: number
}

const limits = { others: 0.15, stolen: 0.05, spread: 0.15 }
const restMs = 400

interface CalmOptions {
  attempts?: number
  observe?: typeof observeMachine
}

/** Measures, and repeats a disturbed measurement. Returns the calmer one, marked if both were disturbed. */
export async function measureCalmly(
  measure: () => Promise<Measured>,
  { attempts = 2, observe = observeMachine }: CalmOptions = {},
): Promise<Measured> {
  const disturbed: Measured[] = []
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { value, surroundings } = await observe(measure)
    const reasons = disturbancesOf(value, surroundings)
    // A failure would only repeat itself.
    if (reasons.length === 0 || value.failure !== undefined) return value
    disturbed.push({ ...value, disturbed: reasons })
  }
  return disturbed.toSorted((a, b) => spreadOf(a) - spreadOf(b))[0]!
}

/** Lists the reasons to doubt the figures of a row. */
export function disturbancesOf(measured: Measured, { others, stolen }: Surroundings): string[] {
  const spread = spreadOf(measured)
  return [
    ...(others > limits.others ? [`other programs used ${percent(others)} of the machine`] : []),
    ...(stolen > limits.stolen ? [`its host took ${percent(stolen)} of the machine`] : []),
    ...(spread > limits.spread
      ? [`the rounds of the baseline differed by ±${percent(spread)}`]
      : []),
  ]
}

/** Spread of the rounds of the baseline, which does the same work in each. */
function spreadOf({ results }: Measured): number {
  return Math.max(0, ...results.map(({ baselineNoise }) => baselineNoise ?? 0))
}

/** Runs `act` and observes the load of the machine by others. */
async function observeMachine<T>(
  act: () => Promise<T>,
): Promise<{ value: T; surroundings: Surroundings }> {
  const before = await loadAtRest()
  const stolenBefore = stolenTicks()
  const value = await act()
  const stolenAfter = stolenTicks()
  const after = await loadAtRest()
  return {
    value,
    surroundings: {
      others: Math.max(before, after),
      stolen:
        (stolenAfter.stolen - stolenBefore.stolen) /
        Math.max(1, stolenAfter.all - stolenBefore.all),
    },
  }
}

/** Measures the share of all cores that is used while the bench rests. */
async function loadAtRest(): Promise<number> {
  const before = coreTimes()
  await sleep(restMs)
  const after = coreTimes()
  return (after.busy - before.busy) / Math.max(1, after.all - before.all)
}

function coreTimes(): { busy: number; all: number } {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    const sum = Object.values(times).reduce((total, time) => total + time, 0)
    busy += sum - times.idle
    all += sum
  }
  return { busy, all }
}

/** Reads the time that the host took, on Linux only: the eighth figure of the first line. */
function stolenTicks(): { stolen: number; all: number } {
  if (process.platform !== 'linux') return { stolen: 0, all: 0 }
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((total, tick) => total + tick, 0) }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
