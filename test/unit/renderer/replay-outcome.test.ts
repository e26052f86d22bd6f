import { expect, test } from 'vitest'
import type { LiveEntry } from '../../../server/contract/live.ts'
import type { DeliveryRow } from '../../../renderer/api/delivery-rows.ts'
import {
  countAttempts,
  countOutcomes,
} from '../../../renderer/features/deliveries/model/replay-outcome.ts'
import { extendChoice } from '../../../renderer/features/deliveries/model/use-choice.ts'

function row(id: string, more: Partial<DeliveryRow> = {}): DeliveryRow {
  return {
    id,
    webhookId: 'w',
    eventId: 'e',
    scope: 'repo',
    action: 'update',
    repo: 'acme/corpus',
    repoType: 'dataset',
    state: 'succeeded',
    attempts: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...more,
  }
}

test('counts what came, the most frequent first', () => {
  const attempt = { number: 2, source: 'replay', at: '2026-01-01T00:00:00.000Z' } as const
  const failed = { class: 'timeout', message: 'too slow' } as const
  const items = [
    { deliveryId: 'a', attempt: { ...attempt, error: failed } },
    { deliveryId: 'b', attempt: { ...attempt, status: 200 } },
    { deliveryId: 'c', attempt: { ...attempt, status: 200 } },
    { deliveryId: 'd', refused: 'Delivery not found' },
    { deliveryId: 'e', attempt },
  ]
  expect(countOutcomes({ items, succeeded: 2, failed: 2, refused: 1 })).toEqual([
    ['200', 2],
    ['timeout', 1],
    ['not sent: Delivery not found', 1],
    ['no response', 1],
  ])
})

test('counts attempts of the chosen ones and of what was made of them', () => {
  const attempted = (deliveryId: string, derivedFrom?: string): LiveEntry => ({
    seq: 1,
    time: '2026-01-01T00:00:00.000Z',
    type: 'delivery.attempted',
    data: {
      deliveryId,
      ...(derivedFrom !== undefined && { derivedFrom }),
      webhookId: 'w',
      eventId: 'e',
      scope: 'repo',
      action: 'update',
      repo: 'acme/corpus',
      repoType: 'dataset',
      state: 'succeeded',
      attempt: 2,
      source: 'replay',
      durationMs: 1,
    },
  })
  const begun: LiveEntry = { ...attempted('a'), type: 'delivery.queued' } as LiveEntry
  const facts = [attempted('a'), begun, attempted('b'), attempted('c', 'a'), attempted('a')]
  expect(countAttempts(facts, new Set(['a']))).toBe(3)
})

test('a choice is extended in either direction, past what was skipped', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) =>
    row(id, id === 'c' ? { state: 'skipped' } : undefined),
  )
  expect([...extendChoice(new Set(['d']), rows.slice(1))].toSorted()).toEqual(['b', 'd'])
  expect([...extendChoice(new Set(), rows)]).toEqual(['a', 'b', 'd'])
  expect([...extendChoice(new Set(['gone']), rows.slice(3))]).toEqual(['gone', 'd'])
  expect([...extendChoice(new Set(), rows.slice(0, 1))]).toEqual(['a'])
})
