// Kills a sandbox in mid delivery, and the same with two mistakes planted into it: `npm run soak:kills -- --help`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { concurrency, killWhileDelivering } from '../helpers/kill-while-delivering.ts'
import { KilledSandbox, type Sabotage } from '../helpers/killed-sandbox.ts'
import { toolFlags } from '../helpers/tool-flags.ts'

const usage = `npm run soak:kills [-- FLAG…]

Kills a sandbox in mid delivery, and the same with two mistakes planted into it.

  --events N   to be delivered (default: 10000)
  --kills N    over all of them (default: 30)
  --help       this text

Ends with 1 if something is lost, or if a planted mistake is not found, with 2 for what it does not understand.
`

const { amounts: size } = toolFlags(usage, { amounts: { events: 10_000, kills: 30 } })
const variants: (Sabotage | undefined)[] = [undefined, 'late-journal', 'early-outcome']

await prepare(fileURLToPath(new URL('../..', import.meta.url)), ['server', 'library'])
for (const sabotage of variants) {
  const directory = await mkdtemp(join(tmpdir(), 'hub-sandbox-soak-'))
  const options = sabotage === undefined ? { directory } : { directory, sabotage }
  const result = await killWhileDelivering(new KilledSandbox(options), size)
  await rm(directory, { recursive: true, force: true })

  const { kills, accepted, lost, duplicates } = result
  process.stdout.write(
    `${sabotage ?? 'as shipped'}: ${kills} kills, ${accepted} accepted, ${lost} lost, ${duplicates} duplicates\n`,
  )
  const isSound = lost === 0 && kills === size.kills && duplicates <= kills * concurrency
  if (isSound !== (sabotage === undefined)) process.exitCode = 1
}
