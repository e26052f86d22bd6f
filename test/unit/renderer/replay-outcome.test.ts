import { expect, test } from 'vitest'
import type { DeliveryRow } from '../../../renderer/api/delivery-rows.ts'
import {
  countAttempts,
  countOutcomes,
  oldestFirst,
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
    arrival: 0,
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

test('puts the oldest first, whatever was chosen first, and what is not listed before it', () => {
  const newestFirst = [row('c'), row('b'), row('a')]
  expect(oldestFirst(['b', 'gone', 'c', 'a'], newestFirst)).toEqual(['gone', 'a', 'b', 'c'])
})

test('counts attempts of the chosen ones and of what was made of them', () => {
  const rows = [
    row('a', { attempts: 3 }),
    row('b', { attempts: 9 }),
    row('c', { derivedFrom: 'a' }),
  ]
  expect(countAttempts(rows, new Set(['a']))).toBe(4)
})

test('a choice is extended in either direction, past what was skipped', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) =>
    row(id, id === 'c' ? { state: 'skipped' } : undefined),
  )
  expect([...extendChoice(rows, new Set(['d']), 'd', 'b')].toSorted()).toEqual(['b', 'd'])
  expect([...extendChoice(rows, new Set(), 'a', 'd')]).toEqual(['a', 'b', 'd'])
  expect([...extendChoice(rows, new Set(), 'filtered away', 'd')]).toEqual(['d'])
  expect([...extendChoice(rows, new Set(), undefined, 'a')]).toEqual(['a'])
})
