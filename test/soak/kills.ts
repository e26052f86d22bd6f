// Kills a sandbox in mid delivery, 30 times over 10,000 events, and the same with two mistakes planted into it:
// `npm run soak:kills [-- --events N --kills N]`. Ends with 1 if something is lost, or if a planted mistake is not found.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { concurrency, killWhileDelivering } from '../helpers/kill-while-delivering.ts'
import { KilledSandbox, type Sabotage } from '../helpers/killed-sandbox.ts'

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '30' },
  },
})
const size = { events: Number(flags.events), kills: Number(flags.kills) }
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
