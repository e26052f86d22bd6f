import { rounds as roundsOf } from '../effort.ts'
import { type Pair, speedResult } from '../pairs.ts'
import type { Result, Row } from '../row.ts'
import { median, noise } from '../statistics.ts'
import {
  createWebhook,
  deliverHeld,
  event,
  examplePayload,
  sendBare,
  type WebhookWorld,
  withWebhookWorld,
} from '../webhook-world.ts'

const rounds = roundsOf(7)
const count = 1500

/** Time from the request that causes an event to the arrival of its delivery, while nothing else happens. */
export const firstDeliveryRow: Row = {
  name: 'first-delivery',
  measure: () => withWebhookWorld(measureFirst),
}

/** Rate of deliveries, beside a program that only sends. */
export const deliveriesRow: Row = {
  name: 'deliveries',
  measure: () => withWebhookWorld(measureRate),
}

async function measureFirst({ sandbox, receiver, sender }: WebhookWorld): Promise<Result[]> {
  await createWebhook(sandbox, receiver.url)
  const body = await examplePayload(sandbox)
  const trigger = { url: `${sandbox.url}/_sandbox/api/events`, body: event }
  const bare = { url: sender.url, body: { url: receiver.url, body } }
  const measure = async (request: object) =>
    median(await receiver.ask<number[]>('latencies', { ...request, times: 40, pauseMs: 5 }))
  await measure(trigger)
  await measure(bare)

  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: await measure(trigger), baseline: await measure(bare) })
  }
  const ratios = pairs.map(({ ours, baseline }) => ours / baseline)
  return [
    {
      what: 'first attempt after an event, idle',
      ours: `${median(pairs.map(({ ours }) => ours)).toFixed(2)} ms`,
      baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(2)} ms`,
      ratio: median(ratios),
      noise: noise(ratios),
      // The goal is 5 ms; a bare program takes about 1 ms on an idle machine.
      goal: { atMost: 5 },
    },
  ]
}

async function measureRate({ sandbox, receiver, sender }: WebhookWorld): Promise<Result[]> {
  const webhookId = await createWebhook(sandbox, receiver.url, { held: true })
  const body = await examplePayload(sandbox)
  await deliverHeld({ sandbox, receiver }, [webhookId], 500)
  await sendBare({ receiver, sender }, body, 500)

  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({
      ours: await deliverHeld({ sandbox, receiver }, [webhookId], count),
      baseline: await sendBare({ receiver, sender }, body, count),
    })
  }
  const perSecond = (of: keyof Pair) =>
    `${Math.round((count * 1000) / median(pairs.map((pair) => pair[of])))}/s`
  return [
    {
      ...speedResult('deliveries to a fast receiver', pairs, { atLeast: 0.4 }),
      ours: perSecond('ours'),
      baseline: perSecond('baseline'),
    },
  ]
}
