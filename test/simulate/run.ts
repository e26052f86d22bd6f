// Runs the product in a simulated world: `npm run simulate -- --help`.
import { toolFlags } from '../helpers/tool-flags.ts'
import { buildProduct } from './build.ts'
import { installMachine } from './machine.ts'
import { play, writeScript } from './play.ts'

const usage = `npm run simulate [-- FLAG…]

Runs the product in a simulated world, whose clock, disk, receivers and clients follow from a seed.

  --seed N     seed of the first run (default: 1)
  --runs N     number of runs, each with the next seed (default: 20)
  --steps N    steps of a run (default: 300)
  --help       this text

Ends with 1 if something is found, with 2 for what it does not understand.
`

const { amounts } = toolFlags(usage, { amounts: { seed: 1, runs: 20, steps: 300 } })
const entry = await buildProduct()
const { hrtime } = process
const machine = await installMachine(entry)
process.on('warning', ({ message }) => process.stdout.write(`warning: ${message}\n`))
// Everything that is loaded late is there before the first run that counts.
await play(machine, writeScript(0, 100))
for (let seed = amounts.seed; seed < amounts.seed + amounts.runs; seed++) {
  const started = hrtime.bigint()
  const script = writeScript(seed, amounts.steps)
  const { violation, at, hash, events, starts } = await play(machine, script)
  const ms = Number((hrtime.bigint() - started) / 1_000_000n)
  process.stdout.write(
    `seed ${seed}: ${at + 1} steps, ${events} events, ${starts} starts, ${ms} ms, ${hash.slice(0, 12)}\n`,
  )
  if (violation === undefined) continue
  process.exitCode = 1
  const last = script.steps.slice(Math.max(0, at - 8), at + 1)
  process.stdout.write(`  ${violation}\n  after: ${last.map(({ name }) => name).join(' | ')}\n`)
}
process.exit()
