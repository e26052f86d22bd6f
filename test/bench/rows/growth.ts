import { join } from 'node:path'
import { amount, rounds } from '../effort.ts'
import { type Amounts, fillFolder } from '../full-folder.ts'
import { type Comparison, compareAll } from '../load.ts'
import type { Result, Row } from '../row.ts'
import { startSandbox, withFolder } from '../sandbox.ts'
import { same } from './baselines.ts'

const sizes = [1000, 10_000, 100_000] as const

/** What a page of a list costs when there is ten and a hundred times as much. */
export const growthRows: Row[] = [growthRow('deliveries'), growthRow('repos')]

function growthRow(kind: keyof Amounts): Row {
  const load = same({ path: `/_sandbox/api/${kind}?limit=20` })
  return {
    name: `growth-${kind}`,
    measure: () =>
      withFolder(async (folder) => {
        const servers = []
        try {
          for (const size of sizes) {
            const data = join(folder, String(size))
            await fillFolder(data, { [kind]: amount(size) })
            // All of it is kept.
            const caps = { deliveries: 2 * size, deliveryBytes: Number.MAX_SAFE_INTEGER }
            servers.push(await startSandbox(data, { caps }))
          }
          const [few, ...more] = servers.map((server) => ({ server, load }))
          const options = { warmUpItems: 20, items: 50, rounds: rounds(5) }
          const compared = await compareAll(more, few!, options)
          return compared.map((comparison, index) =>
            resultOf(`20 of ${sizes[index + 1]!.toLocaleString('en')} ${kind}`, comparison),
          )
        } finally {
          for (const server of servers) await server.stop()
        }
      }),
  }
}

/** Against the same of a thousand. */
function resultOf(what: string, comparison: Comparison): Result {
  const { cpu, ratio, noise: spread, cpuRatio, baselineNoise } = comparison
  return {
    what,
    ours: microseconds(comparison.ours),
    baseline: microseconds(comparison.baseline),
    ratio: 1 / ratio,
    noise: spread,
    cpuRatio: 1 / cpuRatio,
    cpu,
    baselineNoise,
  }
}

function microseconds(perSecond: number): string {
  return `${Math.round(1e6 / perSecond)} µs`
}
