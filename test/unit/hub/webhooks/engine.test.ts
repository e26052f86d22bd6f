import { createOutgoing } from '../../../../server/web/outgoing/outgoing.ts'
import { defaultCaps } from '../../../../server/contract/fixtures/defaults.ts'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import type { AttemptResult, Send } from '../../../../server/web/outgoing/wire.ts'
import {
  type DeliveryFilter,
  listDeliveries,
} from '../../../../server/hub/webhooks/views/activity.ts'
import { deleteWebhook } from '../../../../server/hub/webhooks/manage/management.ts'
import { countDeliveries } from '../../../../server/hub/webhooks/views/statistics.ts'
import {
  acmeId,
  aliceId,
  atEnd,
  createWebhookWorld,
  makeEvent,
  repoId,
  startRawReceiver,
  startReceiver,
  type WebhookWorld,
  wireOf,
} from '../../../helpers/webhook-world.ts'
import { defer } from '../../../../server/store/deferred.ts'
import type { Job } from '../../../../server/store/entities/webhook-entities.ts'
import { limitRounds } from '../../../helpers/limit-rounds.ts'

const start = Date.UTC(2026, 0, 1)
const failing = () => startReceiver((_request, response) => response.writeHead(500).end())

/** A disk that stores at once until it is held; what `hold` returns lets it go on. */
function slowDisk() {
  let stored = Promise.resolve()
  return {
    committed: () => stored,
    hold() {
      const held = defer<void>()
      stored = held.promise
      return () => held.resolve()
    },
  }
}

describe('a delivery', () => {
  test('a delivery has the documented headers and the frozen body', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url, secret: 's3cret' })
    world.engine.start()
    world.emit()
    await world.settle()

    const delivery = world.only()
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, matchedBy: 'org:acme' })
    const [request] = receiver.received
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(request?.body.length),
      'user-agent': 'hub-sandbox/0.0.0',
      'webhook-id': delivery.messageId,
      'x-webhook-secret': 's3cret',
    })
    expect(request?.body).toBe(world.state.deliveryBodies.get(delivery.id)?.body)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      webhook: { id: webhook.id, version: 3 },
    })
    expect(world.state.webhooks.get(webhook.id)?.lastTriggerAt).toBe(start)
  })

  test.each([
    ['/there', ''],
    ['http://alice:inurl@localhost/', 'http://alice:***@localhost/'],
  ])('the log has no secret, also when a receiver redirects to %s', async (to, shown) => {
    const receiver = await startReceiver(({ path }, response) =>
      response.writeHead(302, { Location: to + path.slice('/hook'.length) }).end(),
    )
    const world = await createWebhookWorld()
    world.addWebhook({ url: `${receiver.url}?secret=inurl&x=1`, secret: 's3cret' })
    world.engine.start()
    world.emit()
    await world.settle()
    expect(receiver.received[0]?.path).toBe('/hook?secret=inurl&x=1')
    const { attempts, webhooks } = world.state
    expect(webhooks.first()?.lastFailure?.error.message).toBe(
      `responded with 302, a redirect to ${shown === '' ? to : shown}?secret=***&x=1`,
    )
    const log = JSON.stringify([...attempts.values(), webhooks.first()?.lastFailure])
    expect(log).not.toContain('s3cret')
    expect(log).not.toContain('inurl')
    expect(log).toContain('x=1')
  })

  test('a delivery is stored before it is sent, else it is not sent', async () => {
    const receiver = await startReceiver()
    let refuse = true
    const problems: string[] = []
    const world = await createWebhookWorld({
      engine: {
        committed: async () => {
          if (refuse) throw new Error('disk full')
        },
        onProblem: (message) => problems.push(message),
      },
    })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await vi.waitFor(() => expect(problems[0]).toContain('disk full'), { timeout: 10_000 })
    // Whatever is sent has an attempt before it leaves.
    expect([world.only().state, world.state.attempts.size]).toEqual(['queued', 0])
    expect(await world.engine.idle({ timeoutMs: 0 })).toBe(false)
    refuse = false
    await world.settle()
    expect(receiver.received).toHaveLength(1)
  })

  test('each webhook gets one delivery, however many of its watched items match', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    world.addWebhook({
      url: receiver.url,
      watched: [
        { type: 'dataset', name: 'Acme/Corpus' },
        { type: 'org', name: 'ACME' },
      ],
    })
    world.engine.start()
    world.emit()
    await world.settle()
    expect(world.only().matchedBy).toBe('dataset:Acme/Corpus')
  })
})

describe('skipped webhooks', () => {
  test('skipped webhooks are listed with their reason, in one row per event', async () => {
    const world = await createWebhookWorld()
    const url = 'http://127.0.0.1:9/'
    const reasons = new Map([
      [world.addWebhook({ url, watched: [{ type: 'org', name: 'labs' }] }).id, 'not-watched'],
      [world.addWebhook({ url, watched: [{ type: 'user', name: 'acme' }] }).id, 'not-watched'],
      [world.addWebhook({ url, domains: ['discussion'] }).id, 'domain-filtered'],
      [world.addWebhook({ url, ownerId: 'b0b000000000000000000001' }).id, 'private-not-visible'],
      [world.addWebhook({ url, status: 'disabled' }).id, 'disabled'],
      [world.addWebhook({ url, status: 'suspended-after-failure' }).id, 'suspended'],
      [world.addWebhook({ url: 'https://93.184.216.34/' }).id, 'offline-target-blocked'],
      [world.addWebhook({ url: 'http://169.254.169.254/' }).id, 'offline-target-blocked'],
    ])
    world.engine.start()
    const event = world.emit({ repo: { ...makeEvent().repo, private: true } })
    expect(world.state.deliveries.size).toBe(0)
    const row = world.state.skippedEvents.get(event.id)
    expect(new Map(row?.webhooks.map(({ id, reason }) => [id, reason]))).toEqual(reasons)

    const page = listDeliveries(world.deps, { state: ['skipped'], limit: 5 })
    expect(page.items).toHaveLength(5)
    const next = listDeliveries(world.deps, {
      state: ['skipped'],
      limit: 5,
      cursor: page.nextCursor!,
    })
    const listed = [...page.items, ...next.items]
    expect(new Map(listed.map((item) => [item.webhookId, item.reason]))).toEqual(reasons)
    expect(listed.every(({ explanation }) => explanation !== undefined)).toBe(true)
  })

  test('watchers of both owners get a delivery of a transfer', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url, watched: [{ type: 'org', name: 'acme' }] })
    world.addWebhook({ url: receiver.url, watched: [{ type: 'user', name: 'alice' }] })
    world.engine.start()
    world.emit({
      scope: 'repo',
      action: 'move',
      movedTo: { name: 'alice/corpus', ownerId: aliceId },
    })
    await world.settle()
    expect(receiver.received).toHaveLength(2)
  })

  test('a watched repo is followed through its renames', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    world.state.repoRedirects.put({ id: 'dataset/acme/old-name', repoId })
    world.addWebhook({ url: receiver.url, watched: [{ type: 'dataset', name: 'acme/old-name' }] })
    world.engine.start()
    world.emit()
    await world.settle()
    expect(receiver.received).toHaveLength(1)
  })
})

describe('retries', () => {
  test('retries follow the schedule through an outage of one hour', async () => {
    let isUp = false
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(isUp ? 200 : 503).end(),
    )
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    for (let count = 0; count < 20; count++) world.emit({ id: `event-${count}` })
    await world.settle()
    const attemptTimes = () =>
      Array.from(world.state.attempts.values(), ({ deliveryId, at }) => ({ deliveryId, at }))
    await world.everyRetry(start + 3_600_000)
    isUp = true
    await world.everyRetry()

    const planned = [10_000, 60_000, 300_000, 1_800_000, 7_200_000]
    for (const delivery of world.state.deliveries.values()) {
      expect(delivery).toMatchObject({ state: 'succeeded', attempts: 6 })
      const times = attemptTimes()
        .filter(({ deliveryId }) => deliveryId === delivery.id)
        .map(({ at }) => at)
      for (const [index, wait] of planned.entries()) {
        const waited = (times[index + 1] ?? 0) - (times[index] ?? 0)
        expect(waited).toBeGreaterThanOrEqual(wait * 0.8)
        expect(waited).toBeLessThanOrEqual(wait * 1.2)
      }
    }
    const messageIds = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect(messageIds.size).toBe(20)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  test('retries use the current URL and secret, and each attempt records its URL', async () => {
    const [first, second] = [await failing(), await startReceiver()]
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: first.url, secret: 'old' })
    world.engine.start()
    world.emit()
    await world.settle()
    world.state.webhooks.put({ ...webhook, url: second.url, secret: 'new' })
    await world.nextRetry()
    expect(second.received[0]?.headers).toMatchObject({ 'x-webhook-secret': 'new' })
    expect(Array.from(world.state.attempts.values(), ({ request }) => request?.url)).toEqual([
      first.url,
      second.url,
    ])
  })

  test('retries that became due while the machine slept are spread over time', async () => {
    let slept = 0
    const receiver = await failing()
    const world = await createWebhookWorld({ clock: { realNow: () => start + slept } })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    for (let count = 0; count < 20; count++) world.emit()
    await world.settle()
    slept = 3_600_000
    await expect
      .poll(() => world.nextDue(), { timeout: 20_000 })
      .toBeGreaterThanOrEqual(start + slept)
    const times = Array.from(world.state.deliveries.values(), ({ nextRetryAt }) => nextRetryAt!)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(start + slept)
    expect(Math.max(...times)).toBeLessThan(start + slept + 5000)
    expect(new Set(times).size).toBeGreaterThan(10)
    expect(receiver.received).toHaveLength(20)
  })

  test.each([
    ['', {}],
    [
      ', after more headers than are kept',
      Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`X-${index}`, 'x'])),
    ],
    [', after a header that is longer than what is kept', { 'X-Long': 'x'.repeat(9000) }],
  ])(
    'retries wait as long as the receiver asks%s, up to twice the planned wait',
    async (_where, first) => {
      const receiver = await startReceiver((_request, response) =>
        response.writeHead(429, { ...first, 'Retry-After': '3600' }).end(),
      )
      const world = await createWebhookWorld()
      world.addWebhook({ url: receiver.url })
      world.engine.start()
      world.emit()
      await world.settle()
      expect(world.only().nextRetryAt).toBe(start + 20_000)
    },
  )

  test('retries are cancelled when the webhook is disabled, and stay so when it is enabled', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await world.settle()
    expect(world.only().state).toBe('waiting')
    world.state.webhooks.put({ ...world.state.webhooks.get(webhook.id)!, status: 'disabled' })
    world.bus.emit('webhook.updated', { webhookId: webhook.id, changed: ['status'] })
    expect(world.only()).toMatchObject({
      state: 'cancelled',
      cancelledBecause: 'the webhook was disabled',
    })
    world.state.webhooks.put({ ...world.state.webhooks.get(webhook.id)!, status: 'enabled' })
    world.bus.emit('webhook.updated', { webhookId: webhook.id, changed: ['status'] })
    world.clock.advance(86_400_000)
    await world.settle()
    expect(receiver.received).toHaveLength(1)

    expect(world.engine.recover({ since: start })).toHaveLength(1)
    await world.settle()
    expect(receiver.received).toHaveLength(2)
    expect(world.only()).toMatchObject({ state: 'waiting', tries: 1 })
  })

  test('a blocked target is not retried and does not count as a failure', async () => {
    const world = await createWebhookWorld({
      engine: {
        wire: createOutgoing({
          allowNetwork: false,
          ownPorts: () => [],
          resolve: async () => [{ address: '93.184.216.34', family: 4 }],
        }),
      },
    })
    const webhook = world.addWebhook({ url: 'http://example.com/' })
    world.engine.start()
    world.emit()
    await world.settle()
    expect(world.only()).toMatchObject({ state: 'failed', attempts: 1 })
    expect(world.state.webhooks.get(webhook.id)).toMatchObject({
      status: 'enabled',
      consecutiveFailures: 0,
    })
  })
})

describe('suspension', () => {
  test('the tenth failed delivery in a row suspends the webhook and cancels its waiting deliveries', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    const suspended: string[] = []
    world.bus.on('webhook.suspended', ({ data }) => suspended.push(data.reason))
    for (let count = 0; count < 9; count++) world.emit({ id: `event-${count}` })
    await world.settle()
    await world.everyRetry()
    expect(world.state.webhooks.get(webhook.id)).toMatchObject({ consecutiveFailures: 9 })
    world.emit({ id: 'tenth' })
    world.emit({ id: 'eleventh' })
    await world.settle()
    await world.everyRetry()
    expect(world.state.webhooks.get(webhook.id)).toMatchObject({
      status: 'suspended-after-failure',
      consecutiveFailures: 10,
      suspendedBecause: '10 deliveries failed in a row; last error: responded with 500',
    })
    expect(suspended).toHaveLength(1)
    const states = Array.from(world.state.deliveries.values(), ({ state }) => state)
    expect(states.filter((state) => state === 'failed')).toHaveLength(10)
    expect(states.filter((state) => state === 'cancelled')).toHaveLength(1)
    world.emit({ id: 'twelfth' })
    expect(world.state.skippedEvents.get('twelfth')?.webhooks).toEqual([
      { id: webhook.id, reason: 'suspended' },
    ])
  })
})

describe('health and statistics', () => {
  test('statistics count a delivery as failing while it waits for a retry', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit({ id: 'first' })
    world.emit({ id: 'second' })
    await world.settle()
    world.engine.hold(webhook.id)
    world.emit({ id: 'never tried' })
    world.engine.cancel(world.state.deliveries.last()!.id)
    world.engine.release(webhook.id)
    expect(countDeliveries(world.state.deliveries.values())).toEqual({
      total: 3,
      attempted: 2,
      succeeded: 0,
      succeededAtFirst: 0,
      failed: 0,
      failing: 2,
      pending: 0,
      cancelled: 1,
      notRun: 0,
    })
    expect(world.state.webhooks.get(webhook.id)).toMatchObject({
      consecutiveFailures: 0,
      failedAttempts: 2,
      firstFailureAt: start,
      lastFailure: { status: 500, error: { class: 'http_status', message: 'responded with 500' } },
    })
    await world.nextRetry()
    expect(world.state.webhooks.get(webhook.id)).toMatchObject({
      failedAttempts: 3,
      firstFailureAt: start,
    })
  })

  test('the first attempt is counted once, and a success clears the failures', async () => {
    let isUp = false
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(isUp ? 200 : 500).end(),
    )
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit({ id: 'retried' })
    world.emit({ id: 'recovered' })
    await world.settle()
    const [retried, recovered] = [...world.state.deliveries.values()].map(({ id }) => id)
    world.engine.cancel(recovered!)
    isUp = true
    expect(world.engine.recover({ since: start })).toHaveLength(1)
    await world.nextRetry()
    world.emit({ id: 'fresh' })
    await world.settle()
    expect(world.state.deliveries.get(retried!)).toMatchObject({ state: 'succeeded', attempts: 2 })
    expect(countDeliveries(world.state.deliveries.values())).toMatchObject({
      attempted: 3,
      succeeded: 3,
      succeededAtFirst: 1,
    })
    expect(world.state.webhooks.get(webhook.id)).not.toHaveProperty('lastFailure')
  })

  test('a replay that succeeds ends the shown failures, and suspension goes on counting', async () => {
    let isUp = false
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(isUp ? 200 : 500).end(),
    )
    const world = await createWebhookWorld()
    const { id } = world.addWebhook({ url: receiver.url, consecutiveFailures: 3 })
    const webhook = () => world.state.webhooks.get(id)!
    world.engine.start()
    world.emit({ id: 'first' })
    await world.settle()
    await world.engine.replay(world.only().id)
    expect(webhook()).toMatchObject({ failingSince: start, failedAttempts: 1 })

    isUp = true
    await world.engine.replay(world.only().id)
    for (const shown of ['failingSince', 'failedAttempts', 'lastFailure']) {
      expect(webhook()).not.toHaveProperty(shown)
    }
    expect(webhook()).toMatchObject({ firstFailureAt: start, consecutiveFailures: 3 })

    isUp = false
    world.clock.advance(5000)
    world.emit({ id: 'second' })
    await world.settle()
    const { failingSince, failedAttempts, firstFailureAt } = webhook()
    expect({ failedAttempts, firstFailureAt }).toEqual({ failedAttempts: 1, firstFailureAt: start })
    expect(failingSince).toBeGreaterThan(start)
  })

  test('410 Gone ends all deliveries of the webhook in standard-webhooks', async () => {
    let status = 500
    const receiver = await startReceiver((_request, response) => response.writeHead(status).end())
    const world = await createWebhookWorld({ settings: { deliveryProfile: 'standard-webhooks' } })
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit({ id: 'waits' })
    await world.settle()
    status = 410
    world.emit({ id: 'gone' })
    await world.settle()
    expect(world.state.webhooks.get(webhook.id)?.status).toBe('disabled')
    expect(Array.from(world.state.deliveries.values(), ({ state }) => state)).toEqual([
      'cancelled',
      'failed',
    ])
  })
})

describe('quota', () => {
  test('deliveries past 1,000 in a sliding window of 24 hours are skipped', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url, held: true })
    world.engine.start()
    for (let count = 0; count < 1000; count++) world.emit()
    world.clock.advance(1000)
    const over = world.emit()
    expect(world.engine.usage(webhook.id)).toEqual({
      used: 1000,
      limit: 1000,
      windowMs: 86_400_000,
    })
    expect(world.state.skippedEvents.get(over.id)?.webhooks[0]?.reason).toBe('quota-exceeded')
    world.clock.advance(86_399_000)
    world.emit()
    expect(world.engine.usage(webhook.id).used).toBe(1)
    expect(world.state.deliveries.size).toBe(1001)
  })

  test('the quota of a deleted webhook is deleted', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    const [gone, kept] = [0, 1].map(() => world.addWebhook({ url: receiver.url, held: true }))
    world.engine.start()
    world.emit()
    const used = () => [gone, kept].map((webhook) => world.engine.usage(webhook?.id ?? '').used)
    expect(used()).toEqual([1, 1])
    if (gone !== undefined) deleteWebhook(world.deps, gone)
    expect(used()).toEqual([0, 1])
  })
})

describe('isolation and order', () => {
  test('a webhook that hangs does not delay another, even with every place taken', async () => {
    const hanging = await startRawReceiver(() => {})
    const healthy = await startReceiver()
    const world = await createWebhookWorld({
      engine: { concurrency: { perWebhook: 4, overall: 8 } },
    })
    for (let count = 0; count < 3; count++) world.addWebhook({ url: hanging.url })
    const { id } = world.addWebhook({ url: healthy.url })
    world.engine.start()
    for (let count = 0; count < 20; count++) world.emit()
    // 30 s is what one that hangs has: whoever waits for it is late.
    await expect.poll(() => healthy.received.length, { timeout: 20_000 }).toBe(20)
    const hangs = [...world.state.deliveries.values()].filter(({ webhookId }) => webhookId !== id)
    expect(new Set(hangs.map(({ state }) => state))).toEqual(new Set(['queued', 'sending']))
  })

  test('deliveries start in the order of the events, at most four at a time', async () => {
    let underWay = 0
    let most = 0
    const world = await createWebhookWorld({
      engine: {
        wire: wireOf(() => {
          most = Math.max(most, ++underWay)
          const result = new Promise<AttemptResult>((resolve) => {
            setImmediate(() => {
              underWay--
              resolve({ durationMs: 0, timings: {}, status: 200 })
            })
          })
          return { result, abort() {} }
        }),
      },
    })
    world.addWebhook({ url: 'http://127.0.0.1:9/hook' })
    world.engine.start()
    for (let count = 0; count < 30; count++) world.emit()
    await world.settle()
    expect(most).toBe(4)
    const attempts = [...world.state.attempts.values()]
    expect(attempts.map(({ deliveryId }) => deliveryId)).toEqual(
      Array.from(world.state.deliveries.values(), ({ id }) => id),
    )
  })

  test('an ordered webhook waits for its head, until that has succeeded', async () => {
    let isUp = false
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(isUp ? 200 : 500).end(),
    )
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url, order: 'ordered' })
    world.engine.start()
    for (let count = 0; count < 5; count++) world.emit()
    await world.settle()
    expect(receiver.received).toHaveLength(1)
    expect(world.engine.outstanding()).toMatchObject({ queued: 4, waiting: 1 })
    isUp = true
    await world.nextRetry()
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    const sent = Array.from(world.state.deliveries.values(), ({ messageId }) => messageId)
    expect(ids).toEqual([sent[0], ...sent])
  })

  test.each([
    ['one after the other', (world: WebhookWorld) => world.clock.set(world.nextDue() ?? 0)],
    ['at once', (world: WebhookWorld) => world.clock.advance(15_000)],
  ])(
    'a webhook that becomes ordered gets its waiting deliveries in order, due %s',
    async (_how, moveClock) => {
      let isUp = false
      const receiver = await startReceiver((_request, response) =>
        response.writeHead(isUp ? 200 : 500).end(),
      )
      const world = await createWebhookWorld()
      const webhook = world.addWebhook({ url: receiver.url })
      world.engine.start()
      for (let count = 0; count < 4; count++) world.emit()
      await world.settle()
      expect(world.engine.outstanding().waiting).toBe(4)
      isUp = true
      receiver.received.length = 0
      world.state.webhooks.put({ ...webhook, order: 'ordered' })
      world.emit()
      await world.settle()
      expect(receiver.received).toHaveLength(0)
      const round = limitRounds()
      while (world.nextDue() !== undefined) {
        round()
        moveClock(world)
        await world.settle()
      }
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
        Array.from(world.state.deliveries.values(), ({ messageId }) => messageId),
      )
    },
  )

  test('an ordered line goes on when its head is cancelled', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url, order: 'ordered' })
    world.engine.start()
    world.emit()
    world.emit()
    await world.settle()
    world.engine.cancel(world.state.deliveries.first()!.id)
    await world.settle()
    expect(Array.from(world.state.deliveries.values(), ({ state }) => state)).toEqual([
      'cancelled',
      'waiting',
    ])
  })

  test('a shuffled webhook gets every delivery, in another order', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld({
      engine: { concurrency: { perWebhook: 1, overall: 32 } },
    })
    world.addWebhook({ url: receiver.url, order: 'shuffled' })
    world.engine.start()
    for (let count = 0; count < 30; count++) world.emit()
    await world.settle()
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    const inOrder = Array.from(world.state.deliveries.values(), ({ messageId }) => messageId)
    expect(ids).not.toEqual(inOrder)
    expect(new Set(ids)).toEqual(new Set(inOrder))
  })

  test('deleting a webhook cancels its waiting deliveries in several portions', async () => {
    const world = await createWebhookWorld({ isAccounted: false })
    const webhook = world.addWebhook({ url: 'http://127.0.0.1:9/', held: true })
    world.engine.start()
    for (let count = 0; count < 450; count++) world.emit()
    deleteWebhook(world.deps, webhook)
    await expect
      .poll(() => world.state.deliveries.groupSize('state', 'cancelled'), { timeout: 10_000 })
      .toBe(450)
  })

  test('held deliveries are sent in order after the release', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld({
      engine: { concurrency: { perWebhook: 1, overall: 1 } },
    })
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.engine.hold(webhook.id)
    for (let count = 0; count < 500; count++) world.emit()
    await world.settle()
    expect(receiver.received).toEqual([])
    expect(world.engine.outstanding().held).toBe(500)
    world.engine.release(webhook.id)
    world.emit()
    await world.settle()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array.from(world.state.deliveries.values(), ({ messageId }) => messageId),
    )
  })

  test('deliveries past the high-water mark are held until there is room', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld({
      engine: { backlog: { deliveries: 20, bytes: 1_000_000 } },
    })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    for (let count = 0; count < 100; count++) world.emit()
    expect(world.engine.isOverloaded()).toBe(true)
    expect(world.engine.outstanding()).toMatchObject({ queued: 20, held: 80 })
    await world.settle()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toHaveLength(100)
    expect(world.engine.isOverloaded()).toBe(false)
  })

  test('deliveries that wait for a retry and take all bytes do not stop the others', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld({ engine: { backlog: { deliveries: 100, bytes: 1 } } })
    world.addWebhook({ url: 'http://127.0.0.1:9/' })
    world.engine.start()
    world.emit()
    await world.settle()
    world.addWebhook({ url: receiver.url })
    for (let count = 0; count < 5; count++) world.emit()
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(5)
  })

  test('deliveries past the limit cancel the oldest ones, with the reason', async () => {
    const receiver = await startReceiver()
    const caps = { ...defaultCaps, waitingDeliveries: 5, deliveries: 20 }
    const world = await createWebhookWorld({ settings: { caps }, isAccounted: false })
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.engine.hold(webhook.id)
    for (let count = 0; count < 100; count++) world.emit()
    expect(world.engine.outstanding().held).toBe(5)
    expect(world.state.deliveries.size).toBe(20)
    const newest = [...world.state.deliveries.values()].slice(-5)
    expect(newest.map(({ state }) => state)).toEqual(Array(5).fill('held'))
    expect(world.state.deliveries.first()).toMatchObject({
      state: 'cancelled',
      cancelledBecause:
        'dropped because more than 5 deliveries (config.caps.waitingDeliveries) were waiting',
    })
    world.engine.release(webhook.id)
    await world.settle()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      newest.map(({ messageId }) => messageId),
    )
  })

  test('the bytes of waiting deliveries are limited, attempts under way are kept', async () => {
    const receiver = await startHoldingReceiver()
    const one = await createWebhookWorld()
    one.addWebhook({ url: 'http://localhost:9' })
    one.engine.start()
    one.emit()
    const bytes = one.state.deliveryBodies.first()?.bytes ?? 0
    const caps = { ...defaultCaps, waitingBytes: bytes * 3.5 }
    const world = await createWebhookWorld({
      settings: { caps },
      engine: { concurrency: { perWebhook: 1, overall: 1 } },
      isAccounted: false,
    })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await receiver.reached(1)
    for (let count = 0; count < 5; count++) world.emit()
    expect(Array.from(world.state.deliveries.values(), ({ state }) => state)).toEqual([
      'sending',
      'cancelled',
      'cancelled',
      'cancelled',
      'held',
      'held',
    ])
    await receiver.answer(0, 200)
  })

  test('held deliveries of one webhook past the high-water mark do not delay another webhook', async () => {
    const [patient, eager] = [await startReceiver(), await startReceiver()]
    const world = await createWebhookWorld({
      engine: { backlog: { deliveries: 6, bytes: 1_000_000 } },
    })
    const kept = world.addWebhook({ url: patient.url })
    world.engine.start()
    world.engine.hold(kept.id)
    for (let count = 0; count < 6; count++) world.emit()
    expect(world.engine.isOverloaded()).toBe(true)
    world.addWebhook({ url: eager.url })
    world.emit()
    await world.settle()
    expect([patient.received.length, eager.received.length]).toEqual([0, 1])
  })
})

/** Holds every request until it is answered by hand. */
async function startHoldingReceiver() {
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_request, response) => held.push(response))
  return {
    ...receiver,
    async answer(index: number, status: number): Promise<void> {
      await vi.waitFor(() => expect(held[index]).toBeDefined(), { timeout: 10_000 })
      held[index]?.writeHead(status).end()
    },
    reached: (count: number) =>
      vi.waitFor(() => expect(receiver.received).toHaveLength(count), { timeout: 10_000 }),
  }
}

describe('a delivery that is cancelled in flight', () => {
  test.each([500, 200])(
    'a cancelled delivery stays cancelled when %i comes back, and is not retried',
    async (status) => {
      const receiver = await startHoldingReceiver()
      const world = await createWebhookWorld()
      world.addWebhook({ url: receiver.url })
      world.engine.start()
      world.emit()
      await receiver.reached(1)
      world.engine.cancel(world.only().id)
      expect(await world.engine.idle({ timeoutMs: 0 })).toBe(false)
      expect(world.engine.outstanding()).toMatchObject({
        sending: 1,
        deliveries: [{ id: world.only().id, state: 'cancelled' }],
      })
      await receiver.answer(0, status)
      await world.settle()
      expect(world.state.attempts.first()?.outcome).toBeDefined()
      expect(world.only()).toMatchObject({
        state: 'cancelled',
        cancelledBecause: 'cancelled by hand',
      })
      expect(world.state.attempts.first()).toMatchObject({ status })
      world.clock.advance(86_400_000)
      await world.settle()
      expect(receiver.received).toHaveLength(1)
    },
  )

  test.each([
    [500, 2],
    [200, 1],
  ])(
    'a recovered delivery waits for the attempt under way: after %i it was sent %i times',
    async (status, times) => {
      const receiver = await startHoldingReceiver()
      const world = await createWebhookWorld()
      world.addWebhook({ url: receiver.url })
      world.engine.start()
      world.emit()
      await receiver.reached(1)
      world.engine.cancel(world.only().id)
      expect(world.engine.recover({ since: start })).toHaveLength(1)
      // What comes later to the same webhook shows that the one taken up had its turn.
      world.emit({ id: 'later' })
      await receiver.reached(2)
      await receiver.answer(1, 200)
      await vi.waitFor(() => expect(world.state.deliveries.last()?.state).toBe('succeeded'))
      expect(world.state.attempts.size).toBe(2)
      await receiver.answer(0, status)
      if (times === 2) await receiver.answer(2, 200)
      await world.settle()
      expect(world.state.deliveries.first()).toMatchObject({ state: 'succeeded', attempts: times })
    },
  )

  test('a delivery that is cancelled during a replay stays cancelled', async () => {
    const receiver = await startHoldingReceiver()
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await receiver.answer(0, 500)
    await vi.waitFor(() => expect(world.only().state).toBe('waiting'))
    const replay = world.engine.replay(world.only().id)
    await receiver.reached(2)
    world.engine.cancel(world.only().id)
    await receiver.answer(1, 200)
    expect(await replay).toMatchObject({ status: 200 })
    expect(world.only().state).toBe('cancelled')
  })
})

/** A replay of the only delivery, whose automatic attempt is in flight and first in the receiver. */
async function replayBesideAttempt() {
  const receiver = await startHoldingReceiver()
  const world = await createWebhookWorld()
  world.addWebhook({ url: receiver.url })
  world.engine.start()
  world.emit()
  await receiver.reached(1)
  return { receiver, world, replay: world.engine.replay(world.only().id) }
}

describe('replay', () => {
  test('a failed replay does not change the automatic attempt under way', async () => {
    const { receiver, world, replay } = await replayBesideAttempt()
    await receiver.answer(1, 500)
    await replay
    expect(world.only().state).toBe('sending')
    await receiver.answer(0, 200)
    await world.settle()
    expect(world.only()).toMatchObject({ state: 'succeeded', attempts: 2 })
  })

  test('a replay that succeeds beside the automatic attempt leaves no retry', async () => {
    const { receiver, world, replay } = await replayBesideAttempt()
    await receiver.answer(1, 200)
    await replay
    expect(world.only()).toMatchObject({ state: 'succeeded', attempts: 2 })
    await receiver.answer(0, 500)
    await world.settle()
    world.clock.advance(86_400_000)
    await world.settle()
    expect(world.only()).toMatchObject({ state: 'succeeded', attempts: 2 })
  })

  test('a replay keeps its delivery in the log, whatever the cap', async () => {
    const receiver = await startHoldingReceiver()
    const world = await createWebhookWorld({
      isAccounted: false,
      settings: { caps: { ...defaultCaps, deliveries: 1, deliveryBytes: 1_000_000 } },
    })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit({ id: 'replayed' })
    await receiver.answer(0, 200)
    await world.settle()
    const { id } = world.only()
    const replay = world.engine.replay(id)
    await receiver.reached(2)
    const succeeded: string[] = []
    world.bus.on('delivery.succeeded', ({ data }) => succeeded.push(data.eventId))
    for (const [index, event] of ['second', 'third'].entries()) {
      world.emit({ id: event })
      await receiver.answer(index + 2, 200)
      await vi.waitFor(() => expect(succeeded).toContain(event), { timeout: 10_000 })
    }
    expect(world.only().id).toBe(id)
    await receiver.answer(1, 200)
    expect(await replay).toMatchObject({ source: 'replay', status: 200 })
    world.emit({ id: 'fourth' })
    await receiver.answer(4, 200)
    await world.settle()
    expect(world.only().id).not.toBe(id)
  })

  test('a replay sends the same bytes and id to the current URL, without retries', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld({ settings: { deliveryProfile: 'hub-2026-08' } })
    world.addWebhook({ url: receiver.url, status: 'enabled' })
    world.engine.start()
    world.emit()
    await world.settle()
    const { id, messageId } = world.only()
    const attempt = await world.engine.replay(id)
    expect(attempt).toMatchObject({ number: 2, source: 'replay', status: 500, outcome: 'failed' })
    expect(world.only()).toMatchObject({ state: 'failed', attempts: 2 })
    expect(world.nextDue()).toBeUndefined()
    expect(receiver.received[1]?.headers['webhook-id']).toBe(messageId)
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  })

  test('a replay that succeeds ends the retries; one that fails leaves them', async () => {
    let isUp = false
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(isUp ? 200 : 500).end(),
    )
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await world.settle()
    const { id, nextRetryAt } = world.only()
    await world.engine.replay(id)
    expect(world.only()).toMatchObject({ state: 'waiting', nextRetryAt, tries: 1 })
    isUp = true
    await world.engine.replay(id)
    expect(world.only()).toMatchObject({ state: 'succeeded', attempts: 3 })
    world.clock.advance(86_400_000)
    await world.settle()
    expect(receiver.received).toHaveLength(3)
    expect(world.engine.usage(webhook.id).used).toBe(0)
  })

  test('a replay that succeeds lets an ordered webhook go on', async () => {
    let isUp = false
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(isUp ? 200 : 500).end(),
    )
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url, order: 'ordered' })
    world.engine.start()
    for (let count = 0; count < 3; count++) world.emit()
    await world.settle()
    expect(world.engine.outstanding()).toMatchObject({ queued: 2, waiting: 1 })
    isUp = true
    await world.engine.replay(world.state.deliveries.first()!.id)
    await expect.poll(() => receiver.received.length).toBe(4)
  })

  test('a replay is possible while the webhook is disabled, and does not enable it', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await world.settle()
    world.state.webhooks.put({ ...webhook, status: 'suspended-after-failure' })
    expect(await world.engine.replay(world.only().id)).toMatchObject({ status: 200 })
    expect(world.state.webhooks.get(webhook.id)?.status).toBe('suspended-after-failure')
  })

  test('an edited replay is a new delivery that is marked as derived', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await world.settle()
    const original = world.only()
    await world.engine.replayEdited(original.id, { hello: 'world' })
    const derived = world.state.deliveries.last()!
    expect(derived).toMatchObject({ derivedFrom: original.id, state: 'succeeded', attempts: 1 })
    expect(derived.messageId).not.toBe(original.messageId)
    expect(receiver.received[1]?.body).toBe('{"hello":"world"}')
  })

  test.each([
    [200, 500, 'succeeded'],
    [500, 200, 'succeeded'],
    [500, 500, 'failed'],
  ])(
    'an edited replay that is sent twice at once gets %i and %i: it %s',
    async (first, second, state) => {
      const receiver = await startHoldingReceiver()
      const world = await createWebhookWorld()
      world.addWebhook({ url: receiver.url })
      world.engine.start()
      world.emit()
      await receiver.answer(0, 200)
      await world.settle()
      const edited = world.engine.replayEdited(world.only().id, { hello: 'world' })
      await receiver.reached(2)
      const { id } = world.state.deliveries.last()!
      const again = world.engine.replay(id)
      await receiver.reached(3)
      const told: string[] = []
      world.bus.onAny(({ type }) => told.push(type))
      await receiver.answer(1, first)
      await edited
      await receiver.answer(2, second)
      await again
      expect(world.state.deliveries.get(id)).toMatchObject({ state, attempts: 2 })
      const ends = told.filter((type) => type === `delivery.${state}`)
      expect(ends).toHaveLength(1)
    },
  )

  test('a replay leaves nothing behind when a reset deletes its delivery first', async () => {
    const receiver = await startReceiver()
    const disk = slowDisk()
    const world = await createWebhookWorld({ isAccounted: false, engine: disk })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await world.settle()
    const store = disk.hold()
    const replay = world.engine.replay(world.only().id)
    for (const collection of Object.values(world.state)) collection.clear()
    world.engine.reset()
    store()
    await expect(replay).rejects.toMatchObject({ code: 'not_found' })
    expect([world.state.deliveries.size, world.state.attempts.size]).toEqual([0, 0])
    expect(receiver.received).toHaveLength(1)
  })

  test('a replay goes to the URL that its webhook has when it is sent', async () => {
    const [old, present] = [await startReceiver(), await startReceiver()]
    const disk = slowDisk()
    const world = await createWebhookWorld({ engine: disk })
    const webhook = world.addWebhook({ url: old.url })
    world.engine.start()
    world.emit()
    await world.settle()
    const store = disk.hold()
    const replay = world.engine.replay(world.only().id)
    world.state.webhooks.put({ ...webhook, url: present.url })
    store()
    await replay
    expect([old.received.length, present.received.length]).toEqual([1, 1])
  })

  test('a replay of an unknown delivery is refused', async () => {
    const world = await createWebhookWorld()
    world.engine.start()
    await expect(world.engine.replay('nothing')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('stop and restart', () => {
  test('an edited replay under way is neither repeated nor counted in the quota', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
    atEnd(() => rm(directory, { recursive: true }))
    const receiver = await startReceiver()
    const first = await createWebhookWorld({ directory })
    const webhook = first.addWebhook({ url: receiver.url })
    first.engine.start()
    first.emit()
    await first.settle()
    const original = first.only()
    await first.engine.replayEdited(original.id, { edited: true })
    const done = first.state.deliveries.last()!
    // What a crash leaves of another one: it was begun, and nobody saw its end.
    const { finishedAt: _finishedAt, succeededAtFirst: _atFirst, ...open } = done
    const id = 'c'.repeat(24)
    first.state.deliveries.put({ ...open, id, seq: done.seq + 1, state: 'sending' })
    first.state.deliveryBodies.put({ id, body: '{}', sha256: '', bytes: 2 })
    const attempt = { id: `${id}/1`, deliveryId: id, number: 1, source: 'replay' } as const
    first.state.attempts.put({ ...attempt, at: start })
    await first.close()

    const second = await createWebhookWorld({ directory })
    second.engine.start()
    second.emit()
    await second.settle()
    expect(second.state.deliveries.get(id)).toMatchObject({
      state: 'cancelled',
      attempts: 1,
      cancelledBecause: 'the sandbox was stopped during this replay; replays are not repeated',
    })
    expect(second.state.attempts.get(`${id}/1`)?.outcome).toBe('unknown')
    expect(second.engine.recover({ since: start })).toEqual([])
    expect(receiver.received).toHaveLength(3)
    expect(second.engine.usage(webhook.id).used).toBe(2)
  })

  test('deliveries behind the head of an ordered queue are not marked as recovered', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
    atEnd(() => rm(directory, { recursive: true }))
    let isUp = false
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(isUp ? 200 : 500).end(),
    )
    const first = await createWebhookWorld({ directory })
    first.addWebhook({ url: receiver.url, order: 'ordered' })
    first.engine.start()
    first.emit()
    first.emit()
    await first.settle()
    expect(first.engine.outstanding()).toMatchObject({ queued: 1, waiting: 1 })
    await first.close()

    const second = await createWebhookWorld({ directory })
    second.engine.start()
    isUp = true
    await second.nextRetry()
    const sources = Array.from(second.state.attempts.values(), ({ source }) => source)
    expect(sources).toEqual(['auto', 'retry', 'auto'])
  })

  test('only deliveries that may have been sent are marked as recovered', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
    atEnd(() => rm(directory, { recursive: true }))
    const hanging = await startHoldingReceiver()
    const first = await createWebhookWorld({ directory })
    const parallel = first.addWebhook({ url: hanging.url })
    const ordered = first.addWebhook({ url: hanging.url, order: 'ordered' })
    first.engine.start()
    for (let count = 0; count < 6; count++) first.emit({ id: `event-${count}` })
    await hanging.reached(5)
    await first.close()

    const receiver = await startReceiver()
    const second = await createWebhookWorld({ directory })
    for (const webhook of [parallel, ordered]) {
      second.state.webhooks.put({ ...second.state.webhooks.get(webhook.id)!, url: receiver.url })
    }
    second.engine.start()
    await second.settle()
    const sources = (webhookId: string) =>
      second.state.deliveries
        .group('webhook', webhookId)
        .map(({ id }) => second.state.attempts.group('delivery', id).at(-1)?.source)
    expect(sources(parallel.id)).toEqual([...Array<string>(4).fill('recovered'), 'auto', 'auto'])
    expect(sources(ordered.id)).toEqual(['recovered', ...Array<string>(5).fill('auto')])
  })

  test('attempts under way are aborted after the grace period and recovered by the next start', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
    atEnd(() => rm(directory, { recursive: true }))
    const hanging = await startHoldingReceiver()
    const first = await createWebhookWorld({ directory })
    const webhook = first.addWebhook({ url: hanging.url })
    first.engine.start()
    first.emit()
    await hanging.reached(1)
    await first.close(20)

    const receiver = await startReceiver()
    const second = await createWebhookWorld({ directory })
    expect([...second.state.attempts.values()]).toMatchObject([
      { source: 'auto', outcome: 'failed', error: { class: 'aborted_by_shutdown' } },
    ])
    second.state.webhooks.put({ ...webhook, url: receiver.url })
    second.engine.start()
    await second.settle()
    expect(second.only()).toMatchObject({ state: 'succeeded', attempts: 2, tries: 0 })
    expect([...second.state.attempts.values()][1]).toMatchObject({ source: 'recovered' })
    expect(second.state.webhooks.get(webhook.id)?.consecutiveFailures).toBe(0)
  })

  test('after a crash, an attempt under way has an unknown outcome and is sent again', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    const base = {
      seq: 1,
      messageId: 'm-1',
      webhookId: webhook.id,
      eventId: 'before',
      scope: 'repo',
      action: 'update',
      repo: 'acme/corpus',
      repoType: 'dataset',
      repoId,
      matchedBy: 'org:acme',
      tries: 0,
      createdAt: start,
    }
    const ids = ['1', '2', '3'].map((digit) => digit.repeat(24))
    world.state.deliveries.put({ ...base, id: ids[0]!, state: 'sending', attempts: 1 })
    world.state.attempts.put({
      id: `${ids[0]}/1`,
      deliveryId: ids[0]!,
      number: 1,
      source: 'auto',
      at: start,
    })
    world.state.deliveries.put({ ...base, id: ids[1]!, seq: 2, state: 'queued', attempts: 0 })
    world.state.deliveries.put({
      ...base,
      id: ids[2]!,
      seq: 3,
      state: 'waiting',
      attempts: 0,
      tries: 1,
      nextRetryAt: start + 5000,
    })
    for (const id of ids) world.state.deliveryBodies.put({ id, body: '{}', sha256: '', bytes: 2 })
    world.engine.start()
    await world.settle()
    expect(world.state.attempts.get(`${ids[0]}/1`)?.outcome).toBe('unknown')
    expect(world.state.attempts.get(`${ids[0]}/2`)?.source).toBe('recovered')
    expect(world.state.attempts.get(`${ids[1]}/1`)?.source).toBe('recovered')
    expect(world.state.deliveries.get(ids[2]!)?.state).toBe('waiting')
    expect(await world.nextRetry()).toBe(start + 5000)
    expect(receiver.received).toHaveLength(3)
    // Attempts of the third begin at one although it says that it was tried: the crash lost nothing else.
    expect(world.state.deliveries.get(ids[2]!)).toMatchObject({ state: 'succeeded', attempts: 1 })
  })

  test('a reset drops all deliveries, and late responses change nothing', async () => {
    let answer: (result: AttemptResult) => void = () => {}
    const abort = vi.fn<() => void>()
    const send = vi.fn<Send>(() => {
      const result = new Promise<AttemptResult>((resolve) => {
        answer = resolve
      })
      return { result, abort }
    })
    const world = await createWebhookWorld({ isAccounted: false, engine: { wire: wireOf(send) } })
    world.addWebhook({ url: 'http://127.0.0.1:9/hook' })
    world.engine.start()
    world.emit()
    await vi.waitFor(() => expect(send).toHaveBeenCalledOnce())
    for (const collection of Object.values(world.state)) collection.clear()
    world.engine.reset()
    await world.settle()
    expect(abort).toHaveBeenCalledOnce()
    answer({ durationMs: 0, timings: {}, status: 200 })
    // All that an answer does is done in the same turn.
    await new Promise(setImmediate)
    expect(world.state.attempts.size).toBe(0)
    expect(world.state.deliveries.size).toBe(0)
  })
})

describe('the log', () => {
  test('the log drops the oldest finished deliveries past its cap, with their attempts and bodies', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld({
      isAccounted: false,
      settings: { caps: { ...defaultCaps, deliveries: 10, deliveryBytes: 1_000_000 } },
    })
    world.addWebhook({ url: receiver.url })
    world.addWebhook({ url: receiver.url, watched: [{ type: 'org', name: 'labs' }] })
    world.engine.start()
    for (let count = 0; count < 30; count++) world.emit({ id: `event-${count}` })
    await world.settle()
    expect(receiver.received).toHaveLength(30)
    expect(world.state.deliveries.size).toBe(10)
    expect(world.state.deliveryBodies.size).toBe(10)
    expect(world.state.attempts.size).toBe(10)
    expect(world.state.skippedEvents.size).toBe(10)
    expect(world.state.deliveries.last()?.eventId).toBe('event-29')
  })

  test('a delivery that is dropped takes its job with it', async () => {
    const world = await createWebhookWorld({
      isAccounted: false,
      settings: { caps: { ...defaultCaps, deliveries: 1 } },
      engine: {
        jobs: {
          start: ({ delivery }) => {
            const jobId = `job of ${delivery.id}`
            world.state.jobs.put({ id: jobId } as Job)
            const result = Promise.resolve({ durationMs: 0, timings: {} })
            return { jobId, sending: { result, abort: () => {} } }
          },
        },
      },
    })
    world.addWebhook()
    world.engine.start()
    world.emit()
    await world.settle()
    world.emit()
    await world.settle()
    expect([...world.state.jobs.values()].map(({ id }) => id)).toEqual([
      `job of ${world.only().id}`,
    ])
  })

  test('the log keeps as many bytes as its cap, responses of receivers included', async () => {
    const receiver = await startReceiver((_request, response) => response.end('x'.repeat(10_000)))
    const world = await createWebhookWorld({
      isAccounted: false,
      settings: { caps: { ...defaultCaps, deliveries: 1000, deliveryBytes: 55_000 } },
    })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    for (let count = 0; count < 20; count++) world.emit()
    await world.settle()
    expect(world.state.deliveries.size).toBeLessThanOrEqual(5)
    expect(world.state.deliveries.size).toBeGreaterThan(2)
  })

  test('the log never drops an unfinished delivery', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld({
      settings: { caps: { ...defaultCaps, deliveries: 3, deliveryBytes: 1 } },
    })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    for (let count = 0; count < 8; count++) world.emit()
    await world.settle()
    expect(world.state.deliveries.groupSize('state', 'waiting')).toBe(8)
  })

  test('deliveries are listed newest first in pages, by webhook, state, repo and scope', async () => {
    const receiver = await startReceiver()
    const world = await createWebhookWorld()
    const webhook = world.addWebhook({ url: receiver.url })
    world.engine.start()
    for (let count = 0; count < 7; count++) {
      world.emit({ id: `event-${count}`, scope: count % 2 ? 'repo' : 'repo.config' })
    }
    await world.settle()
    const seen: string[] = []
    let cursor: string | undefined
    const round = limitRounds()
    do {
      round()
      const page = listDeliveries(world.deps, {
        webhookId: webhook.id,
        state: ['succeeded'],
        limit: 3,
        ...(cursor !== undefined && { cursor }),
      })
      seen.push(...page.items.map(({ eventId }) => eventId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((count) => `event-${count}`))
    const count = (query: object) => listDeliveries(world.deps, query).items.length
    expect(count({ scope: 'repo' })).toBe(3)
    expect(count({ scope: 'repo.*' })).toBe(7)
    expect(count({ repo: 'datasets/Acme/corpus' })).toBe(7)
    expect(count({ repo: 'models/acme/corpus' })).toBe(0)
    expect(count({ eventId: 'event-3' })).toBe(1)
    expect(count({ since: start + 1 })).toBe(0)
    expect(count({ state: ['failed'] })).toBe(0)
  })

  test('deliveries and skipped events are listed in one order, in pages', async () => {
    const world = await createWebhookWorld()
    const both = ['held', 'skipped']
    world.addWebhook({ url: 'http://127.0.0.1:1/', held: true })
    for (const watched of [['discussion'], ['repo'], ['discussion'], ['discussion']] as const) {
      world.addWebhook({ url: 'http://127.0.0.1:1/', held: true, domains: [...watched] })
    }
    world.engine.start()
    for (let count = 0; count < 5; count++) world.emit({ id: `event-${count}` })
    const { items } = listDeliveries(world.deps, { state: both })
    const all = items.map(({ id }) => id)
    const kinds = both.map((state) => listDeliveries(world.deps, { state: [state] }).items.length)
    expect(kinds.every((items) => items > 4)).toBe(true)
    expect(new Set(all).size).toBe(kinds[0]! + kinds[1]!)
    for (const limit of [1, 2, 3, all.length]) {
      const seen: string[] = []
      let cursor: string | undefined
      const round = limitRounds()
      do {
        round()
        const query = { state: both, limit, ...(cursor !== undefined && { cursor }) }
        const page = listDeliveries(world.deps, query)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(seen).toEqual(all)
    }
    const events = items.map(({ eventId }) => eventId)
    expect(events).toEqual(events.toSorted().toReversed())
  })

  test.each<[name: string, query: DeliveryFilter, ofWebhook?: true]>([
    ['without a filter', {}],
    ['of the webhook that has most of them', {}, true],
    ['in the state that most are in', { state: ['held'] }],
    ['of a repo', { repo: 'acme/corpus' }],
  ])('a list reads no more than a page, %s', async (_name, query, ofWebhook) => {
    const world = await createWebhookWorld()
    const { id: webhookId } = world.addWebhook({ url: 'http://127.0.0.1:1/', held: true })
    world.engine.start()
    for (let count = 0; count < 50; count++) world.emit({ id: `event-${count}` })
    const { deliveries } = world.state
    const newestFirst = deliveries.newestFirst.bind(deliveries)
    let read = 0
    vi.spyOn(deliveries, 'newestFirst').mockImplementation(function* () {
      for (const delivery of newestFirst()) {
        read++
        yield delivery
      }
    })
    const others = [vi.spyOn(deliveries, 'values'), vi.spyOn(deliveries, 'group')]
    const asked = { ...query, ...(ofWebhook && { webhookId }), limit: 3 }
    const { items } = listDeliveries(world.deps, asked)
    expect(items.map(({ eventId }) => eventId)).toEqual(['event-49', 'event-48', 'event-47'])
    expect(read).toBe(4)
    for (const other of others) expect(other).not.toHaveBeenCalled()
  })
})

describe('read access of the owner', () => {
  test('a waiting delivery is cancelled when the owner loses read access to the repo', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld()
    world.state.repos.put({
      id: repoId,
      type: 'dataset',
      name: 'acme/corpus',
      ownerId: acmeId,
      visibility: 'private',
      gated: false,
      likes: 0,
      downloads: 0,
      refs: {},
      lastDiscussionNumber: 0,
      accessRequests: [],
      createdAt: start,
      updatedAt: start,
    })
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit({ repo: { ...makeEvent().repo, private: true } })
    await world.settle()
    const organization = world.state.organizations.get(acmeId)!
    world.state.organizations.put({ ...organization, members: [] })
    await world.nextRetry()
    expect(receiver.received).toHaveLength(1)
    expect(world.only()).toMatchObject({
      state: 'cancelled',
      cancelledBecause: 'the owner of the webhook can no longer read the repository',
    })
  })

  test('a waiting delivery is cancelled when the owner is deleted', async () => {
    const receiver = await failing()
    const world = await createWebhookWorld()
    world.addWebhook({ url: receiver.url })
    world.engine.start()
    world.emit()
    await world.settle()
    world.state.users.delete(aliceId)
    await world.nextRetry()
    expect(receiver.received).toHaveLength(1)
    expect(world.only().cancelledBecause).toBe('the owner of the webhook no longer exists')
  })
})
