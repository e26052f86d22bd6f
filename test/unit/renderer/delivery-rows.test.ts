import { describe, expect, test } from 'vitest'
import {
  applyFacts,
  type DeliveryPages,
  flattenRows,
  skippedRows,
  toPage,
} from '../../../renderer/api/delivery-rows.ts'
import type { LiveEntry } from '../../../server/contract/live.ts'

const base = {
  webhookId: 'w1',
  eventId: 'e1',
  scope: 'repo.content',
  action: 'update',
  repo: 'acme/corpus',
  repoType: 'dataset',
}

function pagesOf(...ids: string[]): DeliveryPages {
  const items = ids.map((id, index) => ({
    ...base,
    id,
    state: 'queued' as const,
    attempts: [],
    createdAt: `2026-01-01T00:00:${String(30 - index).padStart(2, '0')}.000Z`,
  }))
  return { pages: [toPage({ items })], pageParams: [undefined] }
}

type Queued = Extract<LiveEntry, { type: 'delivery.queued' }>

function queued(deliveryId: string, second: number): Queued {
  return {
    seq: second,
    time: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    type: 'delivery.queued',
    data: { ...base, deliveryId, state: 'queued' },
  }
}

const rowsOf = (pages: DeliveryPages | undefined) => flattenRows(pages?.pages ?? [])

describe('rows of the deliveries list', () => {
  test('puts new ones first, the newest on top', () => {
    const pages = applyFacts(pagesOf('a'), [queued('b', 40), queued('c', 41)])
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect(rowsOf(pages)[0]).toMatchObject({ arrival: 41, repoType: 'dataset', attempts: 0 })
  })

  test('changes a known one where it stands', () => {
    const pages = applyFacts(pagesOf('a', 'b'), [
      {
        seq: 50,
        time: '2026-01-01T00:00:50.000Z',
        type: 'delivery.attempted',
        data: {
          ...base,
          deliveryId: 'b',
          state: 'sending',
          attempt: 1,
          source: 'auto',
          durationMs: 12,
          error: { class: 'timeout', message: 'too late' },
        },
      },
      {
        seq: 51,
        time: '2026-01-01T00:00:51.000Z',
        type: 'delivery.waiting',
        data: {
          ...base,
          deliveryId: 'b',
          state: 'waiting',
          attempt: 1,
          nextRetryAt: '2026-01-01T00:01:00.000Z',
        },
      },
    ])
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(rowsOf(pages)[1]).toMatchObject({
      state: 'waiting',
      attempts: 1,
      errorClass: 'timeout',
      durationMs: 12,
      nextRetryAt: '2026-01-01T00:01:00.000Z',
    })
  })

  test('forgets the retry and the error of the attempt before', () => {
    const waiting = applyFacts(pagesOf('a'), [
      {
        seq: 50,
        time: '2026-01-01T00:00:50.000Z',
        type: 'delivery.waiting',
        data: {
          ...base,
          deliveryId: 'a',
          state: 'waiting',
          attempt: 1,
          nextRetryAt: '2026-01-01T00:01:00.000Z',
        },
      },
    ])
    const done = applyFacts(waiting!, [
      {
        seq: 51,
        time: '2026-01-01T00:01:00.000Z',
        type: 'delivery.attempted',
        data: {
          ...base,
          deliveryId: 'a',
          state: 'succeeded',
          attempt: 2,
          source: 'retry',
          status: 200,
          durationMs: 3,
        },
      },
    ])
    const [row] = rowsOf(done)
    expect(row).toMatchObject({ state: 'succeeded', status: 200, attempts: 2, source: 'retry' })
    expect(row).not.toHaveProperty('nextRetryAt')
    expect(row).not.toHaveProperty('errorClass')
  })

  test('asks for the list again when an older delivery is not loaded', () => {
    expect(applyFacts(pagesOf('a'), [queued('older', 10)])).toBeUndefined()
  })

  test('leaves pages alone that hold none of the concerned', () => {
    const before = pagesOf('a')
    before.pages.push(toPage({ items: [] }))
    const after = applyFacts(before, [queued('b', 40)])
    expect(after?.pages[1]).toBe(before.pages[1])
  })

  test('shows a delivery once that a later page holds as well', () => {
    const pages = applyFacts(pagesOf('a'), [queued('b', 40)])
    const again = [...(pages?.pages ?? []), ...pagesOf('b', 'c').pages]
    expect(flattenRows(again).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  })

  test('makes a row for each webhook that an event passed over', () => {
    const { webhookId: _webhookId, ...event } = base
    const rows = skippedRows({
      seq: 9,
      time: '2026-01-01T00:00:09.000Z',
      type: 'delivery.skipped',
      data: {
        ...event,
        webhooks: [
          { id: 'w1', reason: 'disabled' },
          { id: 'w2', reason: 'not-watched' },
        ],
      },
    })
    expect(rows.map(({ id, reason, state }) => ({ id, reason, state }))).toEqual([
      { id: 'e1.w1', reason: 'disabled', state: 'skipped' },
      { id: 'e1.w2', reason: 'not-watched', state: 'skipped' },
    ])
  })
})
