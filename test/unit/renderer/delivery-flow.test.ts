import { expect, test } from 'vitest'
import { flowOfDelivery } from '../../../renderer/features/sign-ins/model/delivery-flow.ts'
import type { AttemptItem, DeliveryItem } from '../../../server/contract/control-deliveries.ts'

const at = (second: number) => new Date(1_800_000_000_000 + second * 1000).toISOString()

function deliveryWith(
  attempts: readonly Partial<AttemptItem>[],
  more: Partial<DeliveryItem> = {},
): DeliveryItem {
  return {
    id: 'd1',
    webhookId: 'w1',
    eventId: 'e1',
    scope: 'repo.content',
    action: 'update',
    repo: 'acme/corpus',
    repoType: 'dataset',
    state: 'waiting',
    createdAt: at(0),
    attempts: attempts.map((attempt, index) => ({
      number: index + 1,
      source: 'auto',
      at: at(10 * index),
      request: { method: 'POST', url: 'http://localhost:1/', headers: [['Webhook-Id', 'm1']] },
      ...attempt,
    })),
    ...more,
  }
}

const told = (delivery: DeliveryItem) =>
  flowOfDelivery(delivery).steps.map(({ from, to, name, outcome }) => [from, to, name, outcome])

test('an event, its attempts and a replay are drawn in order', () => {
  const delivery = deliveryWith(
    [
      { outcome: 'failed', status: 503, error: { class: 'http_status', message: 'x' } },
      { source: 'retry', outcome: 'succeeded', status: 200, durationMs: 20 },
      { source: 'replay', outcome: 'succeeded', status: 200 },
    ],
    { state: 'succeeded' },
  )
  expect(told(delivery)).toEqual([
    ['browser', 'hub', 'event repo.content.update', 'ok'],
    ['hub', 'app', 'delivery', 'ok'],
    ['app', 'hub', 'response 503', 'refused'],
    ['hub', 'app', 'delivery, retried', 'ok'],
    ['app', 'hub', 'response 200', 'ok'],
    ['browser', 'hub', 'replay', 'ok'],
    ['hub', 'app', 'delivery', 'ok'],
    ['app', 'hub', 'response 200', 'ok'],
  ])
  const { steps, artefacts, outcome } = flowOfDelivery(delivery)
  expect(outcome).toBe('completed')
  expect(steps.map(({ sinceMs }) => sinceMs)).toEqual([
    0, 0, 0, 10_000, 10_020, 20_000, 20_000, 20_000,
  ])
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
  expect(artefacts.get('2-request')).toMatchObject({ parts: [{ name: 'Webhook-Id', value: 'm1' }] })
})

test('a receiver that was not reached sends no response', () => {
  const error = { class: 'connection_refused', message: 'x' } as const
  const delivery = deliveryWith([{ outcome: 'failed', error }], { nextRetryAt: at(10) })
  expect(told(delivery).slice(2)).toEqual([
    ['hub', 'hub', 'no response', 'broken'],
    ['hub', 'hub', 'waits for the retry', 'pending'],
  ])
  expect(flowOfDelivery(delivery).outcome).toBe('pending')
  expect(flowOfDelivery({ ...delivery, state: 'failed' }).outcome).toBe('refused')
})

test('an attempt in flight is pending, and a replay that fails after a success is refused', () => {
  expect(flowOfDelivery(deliveryWith([{}], { state: 'sending' }))).toMatchObject({
    outcome: 'pending',
    steps: [{ id: 'event' }, { id: '1-request' }],
  })
  const replayed = deliveryWith(
    [
      { outcome: 'succeeded', status: 200 },
      {
        source: 'replay',
        outcome: 'failed',
        status: 500,
        error: { class: 'http_status', message: 'x' },
      },
    ],
    { state: 'succeeded' },
  )
  expect(flowOfDelivery(replayed).outcome).toBe('refused')
})
