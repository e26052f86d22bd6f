import { describe, expect, test } from 'vitest'
import type { DeliveryRow } from '../../../renderer/api/delivery-rows.ts'
import { parseFilter } from '../../../renderer/features/deliveries/model/filter.ts'

const row: DeliveryRow = {
  id: 'd1',
  webhookId: 'w1',
  eventId: 'e1',
  scope: 'repo.content',
  action: 'update',
  repo: 'acme/corpus',
  repoType: 'dataset',
  state: 'failed',
  attempts: 3,
  source: 'retry',
  status: 503,
  errorClass: 'http_status',
  durationMs: 1200,
  createdAt: '2026-01-01T00:00:00.000Z',
  arrival: 0,
}
const context = { webhookName: () => 'Training bot', isBookmarked: (id: string) => id === 'd1' }

describe('filter of the deliveries list', () => {
  test.each([
    '',
    'status:failed',
    'code:503',
    'code:5xx',
    'scope:repo.*',
    'scope:repo.content',
    'action:update',
    'repo:acme/*',
    'repo:ACME/corpus',
    'webhook:bot',
    'webhook:w1',
    'attempt:>1',
    'attempt:3',
    'attempt:<=3',
    'took:>=1200',
    'error:http',
    'source:retry',
    'after:2026-01-01T00:00:00.000Z before:2026-01-01T00:00:00.000Z',
    'after:2025-12-31',
    'is:bookmarked',
    'corpus',
    'training',
    '-status:succeeded',
    'status:failed corpus code:5xx',
    'status:',
  ])('lets it through: %s', (text) => {
    expect(parseFilter(text, context)(row)).toBe(true)
  })

  test.each([
    'status:succeeded',
    'code:50',
    'code:4xx',
    'scope:repo',
    'scope:discussion.*',
    'repo:acme',
    'attempt:>3',
    'attempt:many',
    'took:<1200',
    'is:else',
    '-corpus',
    'status:failed nothing',
    'after:2026-01-02',
    'before:2025-12-31T23:59:59Z',
    'after:lunch',
    'toString:1',
  ])('keeps it out: %s', (text) => {
    expect(parseFilter(text, context)(row)).toBe(false)
  })

  test('takes what stands in a pattern literally', () => {
    expect(parseFilter('repo:acme.corpus', context)(row)).toBe(false)
    expect(parseFilter('repo:(', context)(row)).toBe(false)
  })
})
