// Feeds every reader of outside input with inputs that follow from a seed: `npm run fuzz [-- --minutes N] [--seed N]
// [NAME…]`. What is found is made as small as it gets and kept in the corpus; then it ends with 1.
import { parseArgs } from 'node:util'
import { keepInput } from './corpus.ts'
import { play } from './play.ts'
import { targets } from './targets.ts'

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const [minutes, seed] = [Number(flags.minutes), Number(flags.seed)]
const unknown = names.filter((name) => !targets.some((target) => target.name === name))
if (unknown.length > 0 || !(minutes > 0) || !Number.isInteger(seed)) {
  process.stderr.write(
    `npm run fuzz [-- --minutes N] [--seed N] [NAME…]: ${targets.map(({ name }) => name).join(' ')}\n`,
  )
  process.exit(2)
}

process.on('unhandledRejection', (error) => {
  throw error
})
const chosen = targets.filter(({ name }) => names.length === 0 || names.includes(name))
const shares = chosen.reduce((sum, { share = 1 }) => sum + share, 0)
let [inputs, findings] = [0, 0]
for (const target of chosen) {
  const ms = (minutes * 60_000 * (target.share ?? 1)) / shares
  const played = await play(target, seed, { ms })
  await target.close?.()
  inputs += played.inputs
  process.stdout.write(`${target.name}: ${played.inputs} inputs\n`)
  if (played.finding === undefined) continue
  findings += 1
  const { input, message, replay } = played.finding
  const file = keepInput(target.name, input)
  process.stdout.write(
    `${JSON.stringify(message)}\n  input ${JSON.stringify(input)}\n  kept in ${file}\n  ${replay}\n`,
  )
}
process.stdout.write(
  `${inputs} inputs of ${chosen.length} readers, ${findings} findings, seed ${seed}\n`,
)
process.exitCode = findings === 0 ? 0 : 1
