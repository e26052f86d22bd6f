import { type Child, startProgram } from './children.ts'
import { rounds as roundsOf } from './effort.ts'
import { inBothOrders } from './pairs.ts'
import type { Goal, Result } from './row.ts'
import { median, noise } from './statistics.ts'

/** Scenario of `programs/scenarios.mjs` with its input. */
export interface Load {
  scenario: string
  input: object
}

export interface Contender {
  server: Child
  load: Load
}

export interface Comparison {
  /** Items per second, medians. */
  ours: number
  baseline: number
  /** Median of the rounds' ratios, and their spread. */
  ratio: number
  noise: number
  /** The same per CPU second of all threads of the server: the rate on one core. */
  cpuRatio: number
  cpuNoise: number
  /** CPU time of all threads of the server for one item, in microseconds. */
  cpu: { ours: number; baseline: number }
  /** Spread of the baseline's rounds, caused by other programs of the machine. */
  baselineNoise: number
}

interface Round {
  perSecond: number
  perCpuSecond: number
}

const connections = 16
const roundMs = 400

let generator: Promise<Child> | undefined

/** Returns the load generator of the run. */
function loadGenerator(): Promise<Child> {
  return (generator ??= startProgram('load'))
}

export async function stopLoadGenerator(): Promise<void> {
  await (await generator)?.stop()
}

export async function drive(
  url: string,
  load: Load,
  items: number,
  width = connections,
): Promise<{ elapsedMs: number; results: unknown[] }> {
  const child = await loadGenerator()
  return child.ask('run', { url, ...load, items, connections: width })
}

/**
 * Measures both in turns, so that other programs of the machine disturb both alike.
 * @param options.items items of a round; default: as many as ours completes in 400 ms
 */
export async function compare(
  ours: Contender,
  baseline: Contender,
  {
    warmUpItems = 1000,
    rounds = roundsOf(7),
    ...options
  }: { items?: number; warmUpItems?: number; rounds?: number } = {},
): Promise<Comparison> {
  for (const contender of [ours, baseline]) await measureRound(contender, warmUpItems)
  const items = options.items ?? (await itemsOfRound(ours, warmUpItems))
  const pairs: { ours: Round; baseline: Round }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push(
      await inBothOrders(round, {
        ours: () => measureRound(ours, items),
        baseline: () => measureRound(baseline, items),
      }),
    )
  }
  return compareRounds(pairs)
}

/** Returns the number of items that take the time of a round. */
async function itemsOfRound(contender: Contender, warmUpItems: number): Promise<number> {
  const { perSecond } = await measureRound(contender, warmUpItems)
  return Math.max(200, Math.round((perSecond * roundMs) / 1000))
}

function compareRounds(pairs: readonly { ours: Round; baseline: Round }[]): Comparison {
  const ratios = (of: keyof Round) => pairs.map(({ ours, baseline }) => ours[of] / baseline[of])
  const all = (side: 'ours' | 'baseline', of: keyof Round) => pairs.map((pair) => pair[side][of])
  return {
    ours: median(all('ours', 'perSecond')),
    baseline: median(all('baseline', 'perSecond')),
    ratio: median(ratios('perSecond')),
    noise: noise(ratios('perSecond')),
    cpuRatio: median(ratios('perCpuSecond')),
    cpuNoise: noise(ratios('perCpuSecond')),
    cpu: {
      ours: 1e6 / median(all('ours', 'perCpuSecond')),
      baseline: 1e6 / median(all('baseline', 'perCpuSecond')),
    },
    baselineNoise: noise(all('baseline', 'perSecond')),
  }
}

/** Result with the rates, and their ratio or that of the CPU times. */
export function rateResult(
  what: string,
  comparison: Comparison,
  { goal, byCpu = false }: { goal?: Goal; byCpu?: boolean } = {},
): Result {
  const { ours, baseline, ratio, noise: spread, cpuRatio, cpuNoise, ...rest } = comparison
  return {
    what,
    ours: `${Math.round(ours)}/s`,
    baseline: `${Math.round(baseline)}/s`,
    ratio: byCpu ? cpuRatio : ratio,
    noise: byCpu ? cpuNoise : spread,
    cpuRatio,
    ...rest,
    ...(goal === undefined ? {} : { goal }),
  }
}

async function measureRound({ server, load }: Contender, items: number): Promise<Round> {
  const before = await server.usage()
  const { elapsedMs } = await drive(server.url, load, items)
  const { cpuMs } = await server.usage()
  return {
    perSecond: items / (elapsedMs / 1000),
    perCpuSecond: items / ((cpuMs - before.cpuMs) / 1000),
  }
}
