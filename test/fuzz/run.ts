// Feeds every reader of outside input with inputs that follow from a seed: `npm run fuzz -- --help`.
import { toolFlags } from '../helpers/tool-flags.ts'
import { keepInput } from './corpus.ts'
import { play } from './play.ts'
import { targets } from './targets.ts'

const readers = targets.map(({ name }) => name)
const usage = `npm run fuzz [-- NAME… FLAG…]

Feeds every reader of outside input with inputs that follow from a seed. What is found is made as small as it gets and
kept in the corpus.

  NAME          one of those below; default: all
  --minutes N   how long, all together (default: 1)
  --seed N      what all of them follow from (default: another each time)
  --help        this text

Ends with 1 where something was found, with 2 for what it does not understand.

Readers: ${readers.join(', ')}
`

const { amounts, names } = toolFlags(usage, {
  amounts: { minutes: 1, seed: Date.now() % 2 ** 31 },
  names: readers,
})
const { minutes, seed } = amounts

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
