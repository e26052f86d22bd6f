import { amount, rounds as roundsOf } from '../effort.ts'
import type { Result, Row } from '../row.ts'
import { median, noise } from '../statistics.ts'
import {
  createWebhook,
  deliverHeld,
  event,
  examplePayload,
  quiet,
  removeWebhook,
  sendBare,
  trigger,
  type WebhookWorld,
  withWebhookWorld,
} from '../webhook-world.ts'

const rounds = roundsOf(7)

/** How deliveries do against a program that does nothing but send. */
export const deliveryRows: Row[] = [
  { name: 'latency', measure: () => withWebhookWorld(measureLatency) },
  { name: 'deliveries', measure: () => withWebhookWorld(measureRate) },
  { name: 'burst', measure: () => withWebhookWorld(measureBurst) },
  { name: 'hanging', measure: () => withWebhookWorld(measureHanging) },
]

/** From the request that causes an event to the arrival of its delivery, while nothing else happens. */
async function measureLatency({ sandbox, receiver, sender }: WebhookWorld): Promise<Result[]> {
  await createWebhook(sandbox, receiver.url)
  const body = await examplePayload(sandbox)
  const trigger = {
    url: `${sandbox.url}/_sandbox/api/events`,
    body: event,
  }
  const bare = { url: sender.url, body: { url: receiver.url, body } }
  const measure = (what: object, times = 40) =>
    receiver.ask<number[]>('latencies', { ...what, times, pauseMs: 5 })
  await measure(trigger)
  await measure(bare)

  const pairs: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: median(await measure(trigger)), bare: median(await measure(bare)) })
  }
  const ours = median(pairs.map((pair) => pair.ours))
  const baseline = median(pairs.map((pair) => pair.bare))
  return [
    {
      what: 'first attempt after an event, idle',
      ours: `${ours.toFixed(2)} ms`,
      baseline: `${baseline.toFixed(2)} ms`,
      ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
      noise: noise(pairs.map((pair) => pair.ours / pair.bare)),
      // 5 ms are promised; a bare relay takes about 1 ms where nothing else runs.
      goal: { atMost: 5 },
    },
  ]
}

async function measureRate({ sandbox, receiver, sender }: WebhookWorld): Promise<Result[]> {
  const count = 1500
  const webhookId = await createWebhook(sandbox, receiver.url, { held: true })
  const body = await examplePayload(sandbox)
  await deliverHeld({ sandbox, receiver }, webhookId, 500)
  await sendBare({ receiver, sender }, body, 500)

  const pairs: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({
      ours: await deliverHeld({ sandbox, receiver }, webhookId, count),
      bare: await sendBare({ receiver, sender }, body, count),
    })
  }
  const perSecond = (ms: number) => `${Math.round(count / (ms / 1000))}/s`
  const ratios = pairs.map(({ ours, bare }) => bare / ours)
  return [
    {
      what: 'deliveries to a fast receiver',
      ours: perSecond(median(pairs.map(({ ours }) => ours))),
      baseline: perSecond(median(pairs.map(({ bare }) => bare))),
      ratio: median(ratios),
      noise: noise(ratios),
      baselineNoise: noise(pairs.map(({ bare }) => bare)),
      goal: { atLeast: 0.65 },
    },
  ]
}

/** Time from the one request that causes all events to the last arrival, with what it takes of the server. */
async function measureBurst({ sandbox, receiver, sender }: WebhookWorld): Promise<Result[]> {
  const count = amount(10_000)
  await createWebhook(sandbox, receiver.url)
  const body = await examplePayload(sandbox)
  await trigger(sandbox, 200)
  await sendBare({ receiver, sender }, body, 500)
  await quiet(sandbox)

  const before = await sandbox.usage()
  await sandbox.ask('watchStalls')
  const arrived = receiver.ask<number>('expect', count)
  const started = performance.now()
  await trigger(sandbox, count)
  await arrived
  const ours = performance.now() - started
  const stall = await sandbox.ask<number>('longestStall')
  const after = await sandbox.usage()
  const bare = await sendBare({ receiver, sender }, body, count)
  return [
    {
      what: 'burst of 10,000 events',
      ours: `${(ours / 1000).toFixed(1)} s`,
      baseline: `${(bare / 1000).toFixed(1)} s`,
      ratio: ours / bare,
      details: {
        longestStallMs: stall,
        residentBytesBefore: before.residentBytes,
        residentBytesAfter: after.residentBytes,
      },
    },
  ]
}

async function measureHanging({ sandbox, receiver }: WebhookWorld): Promise<Result[]> {
  const count = 1000
  const healthy = await createWebhook(sandbox, receiver.url, { held: true })
  await deliverHeld({ sandbox, receiver }, healthy, 500)

  const pairs: { beside: number; alone: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await deliverHeld({ sandbox, receiver }, healthy, count)
    const hanging = await createWebhook(sandbox, `${receiver.url}/hang`)
    await trigger(sandbox, 50)
    const beside = await deliverHeld({ sandbox, receiver }, healthy, count)
    await removeWebhook(sandbox, hanging)
    pairs.push({ beside, alone })
  }
  const ratios = pairs.map(({ beside, alone }) => beside / alone)
  return [
    {
      what: 'a healthy webhook beside a hanging one',
      ours: `${median(pairs.map(({ beside }) => beside)).toFixed(0)} ms`,
      baseline: `${median(pairs.map(({ alone }) => alone)).toFixed(0)} ms`,
      ratio: median(ratios),
      noise: noise(ratios),
      goal: { atMost: 1.25 },
    },
  ]
}
