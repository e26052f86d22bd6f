import { type Child, startProgram } from './children.ts'
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
function loadGenerator(): Promise<Child> {
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
  { warmUpItems = 1500, rounds = 9, ...options }: ComparisonOptions = {},
): Promise<Comparison> {
  await measureRound(ours, warmUpItems)
  await measureRound(baseline, warmUpItems)
  const { perSecond } = await measureRound(ours, warmUpItems)
  const items = options.items ?? Math.max(200, Math.round((perSecond * roundMs) / 1000))

  const pairs: { ours: Round; baseline: Round }[] = []
  for (let round = 0; round < rounds; round++) {
    // Who goes first changes, or a machine that slows down would favour one of them.
    const oursFirst = round % 2 === 0
    const first = await measureRound(oursFirst ? ours : baseline, items)
    const second = await measureRound(oursFirst ? baseline : ours, items)
    pairs.push(oursFirst ? { ours: first, baseline: second } : { ours: second, baseline: first })
  }
  const ratios = pairs.map((pair) => pair.ours.perSecond / pair.baseline.perSecond)
  const cpuRatios = pairs.map((pair) => pair.ours.perCpuSecond / pair.baseline.perCpuSecond)
  return {
    ours: median(pairs.map((pair) => pair.ours.perSecond)),
    baseline: median(pairs.map((pair) => pair.baseline.perSecond)),
    ratio: median(ratios),
    noise: noise(ratios),
    cpuRatio: median(cpuRatios),
    cpuNoise: noise(cpuRatios),
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
