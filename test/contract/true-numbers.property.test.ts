import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type {
  AttemptItem,
  DeliveryItem,
  DeliveryList,
  DeliveryStatistics,
} from '../../server/contract/control-deliveries.ts'
import type { Overview } from '../../server/contract/control-health.ts'
import type { RequestList } from '../../server/contract/control-requests.ts'
import type { DeviceList } from '../../server/contract/control-sign-in.ts'
import type {
  WebhookItem,
  WebhookList,
  WebhookStatistics,
} from '../../server/contract/control-webhooks.ts'
import { openDeliveryStates } from '../../server/contract/words/webhooks.ts'
import { controlWorld } from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call } = world
const play = playFlows(world)

/** Status with which the receiver responds. */
let status = 200
const receiver = createServer((_request, response) => response.writeHead(status).end())
beforeEach(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
afterEach(() => {
  receiver.closeAllConnections()
  receiver.close()
})

type Step =
  | { do: 'event' | 'retry' | 'signIn' | 'refusal' | 'device' | 'poll' | 'approve' | 'revoke' }
  | { do: 'answer'; status: number }
  | { do: 'replay' | 'cancel'; pick: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'event' as const }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(200, 500, 410).map((status) => ({ do: 'answer' as const, status })),
  },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(
        ...([
          'retry',
          'retry',
          'signIn',
          'refusal',
          'device',
          'poll',
          'approve',
          'revoke',
        ] as const),
      )
      .map((name) => ({ do: name })),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('replay' as const, 'replay' as const, 'cancel' as const),
      pick: fc.nat(20),
    }),
  },
)

const watched = [{ type: 'org', name: 'acme' }]

/** Plays a history at a fresh sandbox, and compares all numbers with the lists after each step. */
async function playOut(steps: readonly Step[]): Promise<void> {
  world.sandbox.deps.reset()
  status = 200
  const { port } = receiver.address() as AddressInfo
  await call('POST', 'clock', { frozen: true })
  const targets = [
    { url: `http://127.0.0.1:${port}/hook` },
    // Nothing listens on the discard port.
    { url: 'http://127.0.0.1:9/hook' },
    { job: { dockerImage: 'none' } },
  ]
  for (const target of targets)
    await call('POST', 'webhooks', { user: 'alice', watched, ...target })
  let device: Awaited<ReturnType<typeof play.startDevice>> | undefined
  let token: string | undefined
  for (const one of steps) {
    switch (one.do) {
      case 'event':
        await call('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
        break
      case 'answer':
        status = one.status
        break
      case 'retry':
        await call('POST', 'clock', { advance: '2m' })
        break
      case 'signIn':
        token = (await play.signIn()).access_token
        break
      case 'refusal':
        await play.exchangeCode('unknown')
        break
      case 'device':
        device = await play.startDevice()
        break
      case 'poll':
        await device?.poll()
        break
      case 'approve':
        if (device !== undefined) await play.answerDevice(device.userCode)
        break
      case 'revoke':
        if (token !== undefined) await play.userinfo(token)
        break
      default: {
        const all = await deliveriesOf()
        const { id } = all[one.pick % Math.max(1, all.length)] ?? {}
        if (id !== undefined) await call('POST', `deliveries/${id}/${one.do}`, {})
      }
    }
    await call('GET', 'idle?timeout=10s')
    await compareNumbers()
  }
}

const deliveriesOf = async (query = '') =>
  (await call<DeliveryList>('GET', `deliveries?limit=1000${query}`)).body.items
const sizeOf = async (path: string) =>
  (await call<{ items: unknown[] }>('GET', path)).body.items.length

async function compareNumbers(): Promise<void> {
  const { body: overview } = await call<Overview>('GET', 'overview')
  const deliveries = await deliveriesOf()
  const { items: webhooks } = (await call<WebhookList>('GET', 'webhooks')).body
  const { body: log } = await call<RequestList>('GET', 'requests?limit=1000')
  expect(overview.deliveries).toEqual(resultsOf(deliveries))
  expect(overview.failingWebhooks).toBe(
    webhooks.filter(({ health }) => health.state === 'failing').length,
  )
  const { items: devices } = (await call<DeviceList>('GET', 'device?limit=1000')).body
  expect(overview.counts).toMatchObject({
    deliveries: deliveries.length,
    outstandingDeliveries: (await deliveriesOf(`&state=${openDeliveryStates.join(',')}`)).length,
    webhooks: webhooks.length,
    requests: log.items.length,
    pendingDevices: devices.filter((device) => device.status === 'pending').length,
    activeTokens: await sizeOf('tokens?state=active&limit=1000'),
    jobs: await sizeOf('jobs?limit=1000'),
  })
  expect(log.kept.requests).toBe(log.items.length)
  expect(await sizeOf('requests?limit=1000&refused=1')).toBe(
    log.items.filter(({ error, expected }) => error !== undefined && expected !== true).length,
  )
  for (const webhook of webhooks) await compareWebhook(webhook)
}

async function compareWebhook({ id, health, deliveries: told }: WebhookItem): Promise<void> {
  const deliveries = await deliveriesOf(`&webhookId=${id}`)
  expect(told).toEqual(resultsOf(deliveries))
  const { body: figures } = await call<WebhookStatistics>('GET', `webhooks/${id}/statistics`)
  expect(figures.deliveries).toEqual(told)
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  const reached = attempts.filter((attempt) => attempt.response !== undefined)
  expect(figures.latency.measured).toBe(reached.length)
  expect(figures.latency.notMeasured).toBe(attempts.length - reached.length)
  const slowest = Math.max(...reached.map(({ durationMs = 0 }) => durationMs))
  expect(figures.latency.maxMs).toBe(reached.length === 0 ? undefined : slowest)
  const isFailing = health.state === 'failing'
  expect(health.failedAttempts > 0).toBe(isFailing)
  if (health.lastError === undefined) return
  const failed = deliveries.find((delivery) => delivery.id === health.lastError?.deliveryId)
  expect(failed?.attempts.some(isFailedByItself)).toBe(true)
  expect(health.failedAttempts).toBeLessThanOrEqual(attempts.filter(isFailedByItself).length)
}

const isFailedByItself = ({ outcome, source }: AttemptItem) =>
  outcome === 'failed' && source !== 'replay'

/** Results as a reader of the list counts them. */
function resultsOf(all: readonly DeliveryItem[]): DeliveryStatistics {
  const tried = all.filter(({ attempts, recorded }) => attempts.length > 0 && recorded !== true)
  const inState = (state: string) => tried.filter((delivery) => delivery.state === state).length
  const succeeded = inState('succeeded')
  const failed = inState('failed')
  const cancelled = inState('cancelled')
  const failing = tried.filter(({ state }) =>
    openDeliveryStates.some((open) => open === state),
  ).length
  const atFirst = tried.filter(({ attempts }) => attempts[0]?.outcome === 'succeeded').length
  const attempted = succeeded + failed + failing + cancelled
  const share = (part: number) => (attempted === 0 ? null : part / attempted)
  return {
    attempted,
    succeeded,
    succeededAtFirst: atFirst,
    failed,
    failing,
    cancelled,
    successRate: share(succeeded),
    firstAttemptRate: share(atFirst),
  }
}

test('every number equals what the lists say, after any history', async () => {
  const everyHistory = fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), playOut),
    {
      numRuns: 12,
    },
  )
  await expect(everyHistory).resolves.toBeUndefined()
}, 120_000)

test('a history with every kind of step has the numbers of its lists', async () => {
  const history = playOut([
    { do: 'event' },
    { do: 'answer', status: 500 },
    { do: 'event' },
    { do: 'retry' },
    { do: 'answer', status: 200 },
    { do: 'replay', pick: 2 },
    { do: 'cancel', pick: 1 },
    { do: 'signIn' },
    { do: 'refusal' },
    { do: 'device' },
    { do: 'poll' },
    { do: 'approve' },
    { do: 'poll' },
  ])
  await expect(history).resolves.toBeUndefined()
})
