import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { compare, type Comparison } from '../load.ts'
import type { Result, Row } from '../row.ts'
import { signIn, withPairs } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'
import {
  createWebhook,
  deliverHeld,
  type WebhookWorld,
  withWebhookWorld,
} from '../webhook-world.ts'
import { type Builds, withAndWithoutChecks } from '../without-checks.ts'
import { signInLoad } from './sign-in.ts'

const count = 1000
const mostMs = 50

/** Time of the checks when they are read, and what they take from sign-ins while nobody reads them. */
export const checksRow: Row = {
  name: 'checks',
  measure: async () => [
    ...(await withWebhookWorld(measureChecks)),
    await withAndWithoutChecks(measureSignIns),
  ],
}

async function measureSignIns({ checked, unchecked }: Builds): Promise<Result> {
  const comparisons: Comparison[] = []
  const builds = { ours: { path: checked }, baseline: { path: unchecked } }
  await withPairs(rounds(6), builds, async (ours, baseline) => {
    comparisons.push(await compareSignIns(ours, baseline))
  })
  const figures = (of: 'ours' | 'baseline') => comparisons.map((comparison) => comparison[of])
  const ratios = comparisons.map(({ cpuRatio }) => cpuRatio)
  return {
    what: 'whole sign-in, beside a build without checks',
    ours: `${Math.round(median(figures('ours')))}/s`,
    baseline: `${Math.round(median(figures('baseline')))}/s`,
    ratio: median(ratios),
    noise: noise(ratios),
    goal: { atLeast: 0.98 },
  }
}

async function compareSignIns(ours: Child, baseline: Child): Promise<Comparison> {
  const load = async (server: Child) => ({ server, load: signInLoad(await signIn(server)) })
  return compare(await load(ours), await load(baseline), { items: amount(1000), rounds: 3 })
}

async function measureChecks({ sandbox, receiver }: WebhookWorld): Promise<Result[]> {
  // Of each webhook, 500 deliveries are judged.
  const held = () => createWebhook(sandbox, receiver.url, { held: true })
  await deliverHeld({ sandbox, receiver }, [await held(), await held()], amount(count / 2))
  const headers = { authorization: 'Bearer hf_sandbox_alice' }
  for (let sent = 0; sent < amount(count); sent += 20) {
    const paths = Array.from({ length: 20 }, (_none, index) => `/api/models?limit=${index + 1}`)
    await Promise.all(
      paths.map(async (path) => (await fetch(sandbox.url + path, { headers })).text()),
    )
  }
  const took: number[] = []
  // The first ones compile the rules.
  for (let round = 0; round < rounds(25); round++) {
    const start = performance.now()
    await (await fetch(`${sandbox.url}/_sandbox/api/advice`)).text()
    took.push(performance.now() - start)
  }
  const later = took.slice(Math.min(5, took.length - 1))
  return [
    {
      what: 'checks of 1,000 requests and 1,000 attempts, against 50 ms',
      ours: `${median(later).toFixed(1)} ms`,
      baseline: `${mostMs} ms`,
      ratio: median(later) / mostMs,
      noise: noise(later),
      goal: { atMost: 1 },
    },
  ]
}
