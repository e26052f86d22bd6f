import { describe, expect, test } from 'vitest'
import {
  addFacts,
  type DeliveryRowPage,
  dropLoaded,
  type LiveRows,
  noLiveRows,
  toPage,
  updatePage,
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

function pageOf(...ids: string[]): DeliveryRowPage {
  const items = ids.map((id, index) => ({
    ...base,
    id,
    state: 'queued' as const,
    attempts: [],
    createdAt: `2026-01-01T00:00:${String(30 - index).padStart(2, '0')}.000Z`,
  }))
  return toPage({ items, start: 0, total: ids.length, asOf: '30.1' })
}

type Queued = Extract<LiveEntry, { type: 'delivery.queued' }>

function queued(deliveryId: string, second: number): Queued {
  return {
    seq: second,
    time: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    type: 'delivery.queued',
    data: { ...base, deliveryId, number: second, state: 'queued' },
  }
}

const idsOf = ({ rows }: DeliveryRowPage | LiveRows) => rows.map(({ id }) => id)
/** Live rows after the delivery with this number. */
const after = (number: number) => dropLoaded(noLiveRows, number)

describe('rows of the deliveries list', () => {
  test('puts new ones first, the newest on top', () => {
    const live = addFacts(addFacts(after(30), [queued('a', 39)]), [
      queued('b', 40),
      queued('c', 41),
    ])
    expect(idsOf(live)).toEqual(['c', 'b', 'a'])
    expect(live.rows[0]).toMatchObject({ number: 41, repoType: 'dataset', attempts: 0 })
  })

  test('changes a known one where it stands', () => {
    const facts: Parameters<typeof addFacts>[1] = [
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
    ]
    const page = updatePage(pageOf('a', 'b'), facts)
    expect(idsOf(page)).toEqual(['a', 'b'])
    const changed = {
      state: 'waiting',
      attempts: 1,
      errorClass: 'timeout',
      durationMs: 12,
      nextRetryAt: '2026-01-01T00:01:00.000Z',
    }
    expect(page.rows[1]).toMatchObject(changed)
    const numbered = facts.map((fact) => ({ ...fact, data: { ...fact.data, number: 31 } }))
    const before = addFacts(after(30), [queued('b', 31), queued('c', 32)])
    const live = addFacts(before, numbered as typeof facts)
    expect(idsOf(live)).toEqual(['c', 'b'])
    expect(live.rows[1]).toMatchObject({ ...changed, number: 31 })
  })

  test('forgets the retry and the error of the attempt before', () => {
    const waiting = updatePage(pageOf('a'), [
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
    const done = updatePage(waiting, [
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
    const [row] = done.rows
    expect(row).toMatchObject({ state: 'succeeded', status: 200, attempts: 2, source: 'retry' })
    expect(row).not.toHaveProperty('nextRetryAt')
    expect(row).not.toHaveProperty('errorClass')
  })

  test('leaves out older deliveries, which other pages have', () => {
    const live = addFacts(after(30), [queued('b', 40)])
    expect(addFacts(live, [queued('older', 10), queued('last loaded', 30)])).toBe(live)
    // Facts of a run that an earlier version recorded have no number.
    const { number: _number, ...data } = queued('unknown', 50).data
    expect(addFacts(live, [{ ...queued('unknown', 50), data }])).toBe(live)
  })

  test('leaves a page alone that holds none of the concerned', () => {
    const before = pageOf('a')
    expect(updatePage(before, [queued('b', 40)])).toBe(before)
  })

  test('drops the rows that a page has by now', () => {
    const live = addFacts(after(30), [queued('b', 40), queued('c', 41)])
    expect(dropLoaded(live, 40)).toMatchObject({ after: 40, rows: [{ id: 'c' }] })
  })

  test('keeps 1,000 rows at most, and knows from which number on they are missing', () => {
    const many = Array.from({ length: 1500 }, (_, index) => queued(`d${index}`, 31 + index))
    const live = addFacts(addFacts(after(30), many.slice(0, 900)), many.slice(900))
    expect(live.rows).toHaveLength(1000)
    expect([live.rows[0]?.id, live.rows.at(-1)?.id]).toEqual(['d1499', 'd500'])
    expect(live.dropped).toBe(31 + 499)
    // A late fact about a dropped one does not bring it back.
    expect(addFacts(live, [queued('d3', 34)])).toBe(live)
  })

  test('makes a row for each webhook that an event passed over', () => {
    const { webhookId: _webhookId, ...event } = base
    const { rows } = addFacts(after(8), [
      {
        seq: 9,
        time: '2026-01-01T00:00:09.000Z',
        type: 'delivery.skipped',
        data: {
          ...event,
          number: 9,
          webhooks: [
            { id: 'w1', reason: 'disabled' },
            { id: 'w2', reason: 'not-watched' },
          ],
        },
      },
    ])
    expect(rows.map(({ id, reason, state }) => ({ id, reason, state }))).toEqual([
      // As the control API lists them.
      { id: 'e1.w2', reason: 'not-watched', state: 'skipped' },
      { id: 'e1.w1', reason: 'disabled', state: 'skipped' },
    ])
  })
})
