import { amount, rounds } from '../effort.ts'
import type { Result, Row } from '../row.ts'
import { median, noise } from '../statistics.ts'
import {
  createWebhook,
  deliverHeld,
  type WebhookWorld,
  withWebhookWorld,
} from '../webhook-world.ts'

const count = 1000
const mostMs = 50

/** Time of the checks, which run when they are read. */
export const checksRow: Row = {
  name: 'checks',
  measure: () => withWebhookWorld(measureChecks),
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
