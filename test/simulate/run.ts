// Runs the product in a simulated world: `npm run simulate -- --help`.
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { toolFlags } from '../helpers/tool-flags.ts'
import { buildProduct } from './build.ts'
import { playControls } from './controls.ts'
import { type Coverage, formatCoverage, startCoverage } from './coverage.ts'
import { installMachine } from './machine.ts'
import { type Machine, play, type Played } from './play.ts'
import type { Crash } from './duplicates.ts'
import { playGrowthControls, playRounds } from './growth.ts'
import { divide, formatTallies, playInProcesses, type Tally } from './processes.ts'
import { formatScript, type NamedScript, readScripts, type Script, writeScript } from './script.ts'
import { shrink } from '../../server/core/shrink.ts'

const usage = `npm run simulate [-- FLAG…]

Runs the product in a simulated world, whose clock, disk, receivers and clients follow from a seed.

  --seed N         seed of the first run (default: 1)
  --runs N         number of runs, each with the next seed (default: 20)
  --minutes N      start runs for N minutes, in place of --runs
  --steps N        steps of a run (default: 300)
  --jobs N         processes that play seeds at the same time (default: 1)
  --repeat SCRIPT  play a script in place of seeds: its file, a folder of files, or its JSON
  --trace FILE     write each step, event and response to FILE
  --coverage       print the share of lines that were run, and list the others in test-results/simulate/unreached.txt
  --controls       plant a mistake for each invariant, and play until it is found, a minute each at most
  --growth         play the same steps in rounds on one sandbox, and compare what it holds after each; with --controls, plant mistakes
  --help           this text

A finding is shrunk to a short script and written to test-results/simulate/. Move the file to test/simulate/corpus/, and it
is a test. Exits with 1 if something is found, with 2 for an invalid flag or script.
`

const { hrtime } = process
const secondsSince = (started: bigint) => Number(hrtime.bigint() - started) / 1e9
const say = (text: string) => void process.stdout.write(`${text}\n`)

const { amounts, texts, switches } = toolFlags(usage, {
  amounts: { seed: 1, runs: 20, minutes: 0, steps: 300, jobs: 1 },
  texts: ['repeat', 'trace'],
  switches: ['controls', 'coverage', 'growth'],
})
const scripts = readOrExit()
const trace = openTrace()
const folder = `node_modules/.cache/simulate-${process.pid}`
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const sums = { runs: 0, seconds: 0, steps: 0, events: 0, starts: 0, findings: 0 }
const crashes: Crash[] = []
const shrunk = new Set<string>()
// Otherwise its errors would count as those of the simulated process.
process.exit(await main().catch((error: Error) => (say(String(error.stack)), 1)))

/** @returns exit code */
async function main(): Promise<number> {
  if (amounts.jobs > 1) {
    const tallies = await playInProcesses(process.argv[1] ?? '', divide(amounts, amounts.jobs))
    say(formatTallies(tallies))
    return tallies.some(({ findings }) => findings > 0) ? 1 : 0
  }
  if (switches.growth) return (await findGrowth()) > 0 ? 1 : 0
  if (switches.controls) return (await playControls(folder, say)) > 0 ? 1 : 0
  const entry = await buildProduct(folder)
  const readCoverage = switches.coverage ? startCoverage(dirname(entry)) : undefined
  const machine = await installMachine()(entry)
  // Everything that is loaded late is there before the first run that counts.
  const first = { title: 'seed 0', ...writeScript(0, 100) }
  const early = await play(machine, first)
  if (early.violation !== undefined) await report(machine, first, early)
  for (const script of scripts) await playOne(machine, script)
  await tell({ ...sums, crashes })
  if (readCoverage !== undefined) reportCoverage(readCoverage())
  return sums.findings > 0 ? 1 : 0
}

/** Prints a summary, or sends it to the process that has started this one. */
async function tell(tally: Tally): Promise<void> {
  if (process.send === undefined) return say(formatTallies([tally]))
  await new Promise((resolve) => process.send?.(tally, resolve))
}

/** Plays a script, and prints a line about it. */
async function playOne(machine: Machine, script: NamedScript): Promise<void> {
  const started = hrtime.bigint()
  const played = await play(machine, script, trace)
  const seconds = secondsSince(started)
  sums.runs += 1
  sums.seconds += seconds
  for (const name of ['steps', 'events', 'starts'] as const) sums[name] += played[name]
  crashes.push(...played.crashes)
  const { steps, events, starts, hash } = played
  say(
    `${script.title}: ${steps} steps, ${events} events, ${starts} starts, ${hash.slice(0, 12)}, ${Math.round(seconds * 1000)} ms`,
  )
  if (played.violation !== undefined) await report(machine, script, played)
}

/** @returns number of things that grow, or of planted mistakes that were not found */
async function findGrowth(): Promise<number> {
  const given = { seed: amounts.seed, length: amounts.steps }
  const load = installMachine()
  if (switches.controls) {
    const missed = await playGrowthControls(load, folder, given, say)
    say(missed.length === 0 ? 'Each mistake was found' : `Not found: ${missed.join(', ')}`)
    return missed.length
  }
  const grown = await playRounds(await load(await buildProduct(folder)), given, say)
  say(grown.length === 0 ? 'Nothing has grown' : `Grown: ${grown.join(', ')}`)
  return grown.length
}

/** Prints a finding; the first of each invariant with the shortest script that has it. */
async function report(
  machine: Machine,
  script: NamedScript,
  { violation, steps }: Played,
): Promise<void> {
  sums.findings += 1
  const { invariant = '', message = '' } = violation ?? {}
  say(`  not true: ${invariant}\n  ${message}`)
  if (texts.repeat !== undefined || shrunk.has(invariant)) return
  shrunk.add(invariant)
  const { seed } = script
  const isFailing = async (fewer: Script['steps']) =>
    (await play(machine, { seed, steps: fewer })).violation?.invariant === invariant
  const short = await shrink(script.steps.slice(0, steps), isFailing)
  const shortest = { seed, steps: short.steps }
  const again = await play(machine, shortest)
  const text = formatScript(shortest, `${invariant}: ${again.violation?.message}`)
  const file = `test-results/simulate/${script.title.replace(' ', '-')}.json`
  mkdirSync('test-results/simulate', { recursive: true })
  writeFileSync(file, text)
  say(`  shrunk from ${steps} to ${short.steps.length} steps in ${short.plays} plays`)
  say(`  play it again: npm run simulate -- --repeat ${file}\n${text}`)
}

function reportCoverage(files: Coverage): void {
  const { shares, unreached } = formatCoverage(files)
  say(shares)
  mkdirSync('test-results/simulate', { recursive: true })
  writeFileSync('test-results/simulate/unreached.txt', unreached)
}

function readOrExit(): Iterable<NamedScript> {
  try {
    for (const name of ['runs', 'steps', 'jobs'] as const) {
      if (Number.isInteger(amounts[name]) && amounts[name] <= 1_000_000) continue
      throw new TypeError(`--${name} takes a whole number from 1 to 1000000, not ${amounts[name]}`)
    }
    const others = [...Object.entries(switches), ...Object.entries(texts)]
    const [other] = others.find(([, given]) => given !== undefined && given !== false) ?? []
    if (amounts.jobs > 1 && other !== undefined)
      throw new TypeError(`--jobs plays seeds only: leave out --${other}`)
    return texts.repeat === undefined ? seeds() : readScripts(texts.repeat)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return process.exit(2)
  }
}

function* seeds(): Generator<NamedScript> {
  const first = hrtime.bigint()
  const { seed, runs, minutes, steps } = amounts
  for (let run = 0; minutes > 0 ? secondsSince(first) < minutes * 60 : run < runs; run++) {
    yield { title: `seed ${seed + run}`, ...writeScript(seed + run, steps) }
  }
}

/** @returns function that writes a line to the file of `--trace` */
function openTrace(): ((line: string) => void) | undefined {
  if (texts.trace === undefined) return undefined
  try {
    const file = openSync(texts.trace, 'w')
    process.on('exit', () => closeSync(file))
    return (line) => void writeSync(file, `${line}\n`)
  } catch (error) {
    process.stderr.write(`Cannot write the file of --trace: ${(error as Error).message}\n`)
    return process.exit(2)
  }
}
