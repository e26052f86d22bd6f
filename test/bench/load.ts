import { type Child, startProgram } from './children.ts'
import { rounds as roundsOf } from './effort.ts'
import { median, noise } from './statistics.ts'

/** What the load generator is to do; see `programs/scenarios.mjs`. */
export interface Load {
  scenario: string
  input: object
  /** Makes what each round uses up, unmeasured: its results go into the input under this name. */
  prepare?: { as: string; scenario: string; input: object }
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
  /** The same per CPU second of the server, all its threads: what one core would do. */
  cpuRatio: number
  cpuNoise: number
  /** CPU time of the server for one item, all its threads, in microseconds. */
  cpu: { ours: number; baseline: number }
  /** Spread of the baseline's own rounds, which only what else runs on the machine can cause. */
  baselineNoise: number
}

interface Round {
  perSecond: number
  perCpuSecond: number
}

const connections = 16
const roundMs = 400

export interface ComparisonOptions {
  /** Of one round; default: what ours does in 400 ms. */
  items?: number
  warmUpItems?: number
  rounds?: number
}

let generator: Promise<Child> | undefined

/** The one load generator of a run. */
export function loadGenerator(): Promise<Child> {
  return (generator ??= startProgram('load'))
}

export async function stopLoadGenerator(): Promise<void> {
  await (await generator)?.stop()
}

export async function drive(
  url: string,
  load: Pick<Load, 'scenario' | 'input'>,
  items: number,
  width = connections,
): Promise<{ elapsedMs: number; results: unknown[] }> {
  const child = await loadGenerator()
  return child.ask('run', { url, ...load, items, connections: width })
}

/** Measures both by turns, so that what else the machine does hits both alike. */
export async function compare(
  ours: Contender,
  baseline: Contender,
  options: ComparisonOptions = {},
): Promise<Comparison> {
  const [comparison] = await compareAll([ours], baseline, options)
  return comparison!
}

/** Measures several by turns against one baseline. */
export async function compareAll(
  contenders: readonly Contender[],
  baseline: Contender,
  { warmUpItems = 1500, rounds = roundsOf(9), ...options }: ComparisonOptions = {},
): Promise<Comparison[]> {
  const all = [...contenders, baseline]
  for (const contender of all) await measureRound(contender, warmUpItems)
  const { perSecond } = await measureRound(all[0]!, warmUpItems)
  const items = options.items ?? Math.max(200, Math.round((perSecond * roundMs) / 1000))

  const measured = all.map(() => [] as Round[])
  for (let round = 0; round < rounds; round++) {
    // Who goes first changes, or a machine that slows down would favour one of them.
    const order = round % 2 === 0 ? [...all.keys()] : [...all.keys()].toReversed()
    for (const index of order) measured[index]!.push(await measureRound(all[index]!, items))
  }
  const ofBaseline = measured.at(-1)!
  return measured.slice(0, -1).map((ofOurs) => compareRounds(ofOurs, ofBaseline))
}

function compareRounds(ours: readonly Round[], baseline: readonly Round[]): Comparison {
  const ratios = (of: keyof Round) => ours.map((round, index) => round[of] / baseline[index]![of])
  const medianOf = (rounds: readonly Round[], of: keyof Round) =>
    median(rounds.map((round) => round[of]))
  return {
    ours: medianOf(ours, 'perSecond'),
    baseline: medianOf(baseline, 'perSecond'),
    ratio: median(ratios('perSecond')),
    noise: noise(ratios('perSecond')),
    cpuRatio: median(ratios('perCpuSecond')),
    cpuNoise: noise(ratios('perCpuSecond')),
    cpu: {
      ours: 1e6 / medianOf(ours, 'perCpuSecond'),
      baseline: 1e6 / medianOf(baseline, 'perCpuSecond'),
    },
    baselineNoise: noise(baseline.map((round) => round.perSecond)),
  }
}

async function measureRound({ server, load }: Contender, items: number): Promise<Round> {
  const { prepare } = load
  const input =
    prepare === undefined
      ? load.input
      : { ...load.input, [prepare.as]: (await drive(server.url, prepare, items)).results }
  const before = await server.usage()
  const { elapsedMs } = await drive(server.url, { ...load, input }, items)
  const { cpuMs } = await server.usage()
  return {
    perSecond: items / (elapsedMs / 1000),
    perCpuSecond: items / ((cpuMs - before.cpuMs) / 1000),
  }
}
