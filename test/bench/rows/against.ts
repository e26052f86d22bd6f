import { join } from 'node:path'
import { builtCommand, root, withCopies } from '../build-copies.ts'
import { mostChange } from '../changes.ts'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { compare, type Comparison } from '../load.ts'
import { inBothOrders, type Pair } from '../pairs.ts'
import type { Result, Row } from '../row.ts'
import { withPairs } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'
import { createWebhook, deliverHeld, withReceiver } from '../webhook-world.ts'
import { type Work, works } from '../works.ts'

/**
 * Rows that compare this build with another one in the same run, by CPU time.
 * @param folder root of the checkout of the other build
 */
export function againstRows(folder: string): Row[] {
  return [
    ...works.map((work) => ({ name: work.name, measure: () => measureWork(work, folder) })),
    { name: 'delivery', measure: () => measureDeliveries(folder) },
  ]
}

async function measureWork({ what, items, load }: Work, folder: string): Promise<Result[]> {
  const comparisons: Comparison[] = []
  await withBuilds(folder, async (ours, baseline) => {
    comparisons.push(
      await compare(
        { server: ours, load: await load(ours) },
        { server: baseline, load: await load(baseline) },
        { items: amount(items), warmUpItems: amount(2 * items), rounds: rounds(4) },
      ),
    )
  })
  return [
    resultOf(
      what,
      comparisons.map(({ cpu }) => cpu),
    ),
  ]
}

async function measureDeliveries(folder: string): Promise<Result[]> {
  const costs: Pair[] = []
  await withBuilds(folder, async (ours, baseline) => {
    costs.push(
      await inBothOrders(costs.length, {
        ours: () => costOfDelivery(ours),
        baseline: () => costOfDelivery(baseline),
      }),
    )
  })
  return [resultOf('one delivery, trigger included', costs)]
}

/** @returns CPU time of the sandbox for one delivery, in microseconds */
function costOfDelivery(sandbox: Child): Promise<number> {
  return withReceiver(async (receiver) => {
    const webhookId = await createWebhook(sandbox, receiver.url, { held: true })
    const count = amount(1000)
    await deliverHeld({ sandbox, receiver }, [webhookId], count)
    const before = await sandbox.usage()
    await deliverHeld({ sandbox, receiver }, [webhookId], count)
    const { cpuMs } = await sandbox.usage()
    return ((cpuMs - before.cpuMs) * 1000) / count
  })
}

/** Runs `act` with pairs of sandboxes of this build and of the other one. */
function withBuilds(
  folder: string,
  act: (ours: Child, baseline: Child) => Promise<void>,
): Promise<void> {
  const optionsOf = (copy: string) =>
    ({ path: join(copy, builtCommand), deliveryProfile: 'ci' }) as const
  return withCopies([root, folder], ([own, other]) =>
    withPairs(amount(4), { ours: optionsOf(own), baseline: optionsOf(other) }, act),
  )
}

/** @param costs CPU time for one item, in microseconds */
function resultOf(what: string, costs: readonly Pair[]): Result {
  const all = (side: keyof Pair) => costs.map((pair) => pair[side])
  const ratios = costs.map(({ ours, baseline }) => ours / baseline)
  return {
    what,
    ours: `${Math.round(median(all('ours')))} µs`,
    baseline: `${Math.round(median(all('baseline')))} µs`,
    ratio: median(ratios),
    noise: noise(ratios),
    baselineNoise: noise(all('baseline')),
    goal: { atMost: 1 + mostChange },
  }
}
