import { expect, test } from 'vitest'
import { Refusal } from '../../../../server/core/refusal.ts'
import type { RealTime } from '../../../../server/core/real-time.ts'
import { realTime } from '../../../../server/app/system-time.ts'
import { createWebhookWorld, startReceiver } from '../../../helpers/webhook-world.ts'

/** Real time in which long waits end when the test says so. */
function steppedTime() {
  const waits: { ms: number; act: () => void }[] = []
  const time: RealTime = {
    soon: (act) => realTime.soon(act),
    after(ms, act) {
      // Deadlines of attempts pass in real time.
      if (ms !== 2000 && ms !== 4000 && ms !== 8000) return realTime.after(ms, act)
      const wait = { ms, act }
      waits.push(wait)
      return () => {
        const index = waits.indexOf(wait)
        if (index >= 0) waits.splice(index, 1)
      }
    },
  }
  return { time, waits, pass: () => waits.shift()?.act() }
}

async function brokenWorld(failures = 3) {
  let status = 503
  const receiver = await startReceiver((_request, response) => response.writeHead(status).end())
  const { time, waits, pass } = steppedTime()
  const world = await createWebhookWorld({ engine: { realTime: time } })
  const webhook = world.addWebhook({ url: receiver.url })
  world.engine.start()
  for (let count = 0; count < failures; count++) world.emit({ id: `event-${count}` })
  await world.settle()
  const states = () => Array.from(world.state.deliveries.values(), ({ state }) => state)
  const back: unknown[] = []
  world.bus.on('webhook.back', ({ data }) => back.push(data))
  return {
    world,
    webhook,
    receiver,
    waits,
    pass,
    states,
    back,
    setStatus: (to: number) => (status = to),
  }
}

test('undelivered deliveries are replayed once a check reaches the receiver', async () => {
  const { world, webhook, receiver, waits, pass, states, back, setStatus } = await brokenWorld()
  world.engine.replayWhenBack(webhook.id)
  expect(world.state.webhooks.get(webhook.id)?.awaitedSince).toBe(world.clock.now())
  pass()
  await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([4000])
  expect(receiver.received).toHaveLength(4)
  setStatus(200)
  pass()
  await expect.poll(() => back).toEqual([{ webhookId: webhook.id, succeeded: 3, failed: 0 }])
  expect(states()).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(world.state.webhooks.get(webhook.id)).not.toHaveProperty('awaitedSince')
  expect(waits).toEqual([])
})

test('a success of another delivery ends the wait, too', async () => {
  const { world, webhook, states, back, setStatus } = await brokenWorld(2)
  world.engine.replayWhenBack(webhook.id)
  setStatus(200)
  world.emit({ id: 'later' })
  await expect.poll(() => back).toEqual([{ webhookId: webhook.id, succeeded: 2, failed: 0 }])
  expect(states()).toEqual(['succeeded', 'succeeded', 'succeeded'])
})

test('a cancelled wait checks no more', async () => {
  const { world, webhook, waits } = await brokenWorld(1)
  world.engine.replayWhenBack(webhook.id)
  world.engine.stopWaiting(webhook.id)
  expect(waits).toEqual([])
  expect(world.state.webhooks.get(webhook.id)).not.toHaveProperty('awaitedSince')
})

test('the wait goes on after the state was loaded again', async () => {
  const { world, webhook, waits, pass, back, setStatus } = await brokenWorld(1)
  world.engine.replayWhenBack(webhook.id)
  world.engine.reset()
  expect(waits.map(({ ms }) => ms)).toEqual([2000])
  setStatus(200)
  pass()
  await expect.poll(() => back).toHaveLength(1)
})

test('jobs and webhooks without a failure are refused', async () => {
  const { world, webhook } = await brokenWorld(0)
  expect(() => world.engine.replayWhenBack(webhook.id)).toThrow(Refusal)
  expect(() => world.engine.replayWhenBack('unknown')).toThrow('Webhook not found')
  world.state.webhooks.put({ ...webhook, url: undefined } as never)
  expect(() => world.engine.replayWhenBack(webhook.id)).toThrow('starts a job')
})
