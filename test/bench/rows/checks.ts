import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { compare, rateResult } from '../load.ts'
import type { Result, Row } from '../row.ts'
import { signIn, withSandbox } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'
import {
  createWebhook,
  deliverHeld,
  type WebhookWorld,
  withWebhookWorld,
} from '../webhook-world.ts'
import { withoutChecks } from '../without-checks.ts'
import { signInLoad } from './sign-in.ts'

const count = 1000
const mostMs = 50

/** Time of the checks when they are read, and what they take from sign-ins while nobody reads them. */
export const checksRow: Row = {
  name: 'checks',
  measure: async () => [
    ...(await withWebhookWorld(measureChecks)),
    await withoutChecks((path) =>
      withSandbox((sandbox) =>
        withSandbox((unchecked) => compareSignIns(sandbox, unchecked), { path }),
      ),
    ),
  ],
}

async function compareSignIns(sandbox: Child, unchecked: Child): Promise<Result> {
  const load = async (server: Child) => ({ server, load: signInLoad(await signIn(server)) })
  const signIns = await compare(await load(sandbox), await load(unchecked), { rounds: rounds(21) })
  return rateResult('whole sign-in, beside a build without checks', signIns, {
    goal: { atLeast: 0.98 },
    byCpu: true,
  })
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
