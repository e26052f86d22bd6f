import { describe, expect, test } from 'vitest'
import type { Attempt, Delivery } from '../../../../server/store/entities/webhook-entities.ts'
import {
  countErrors,
  countOverTime,
  measureLatency,
} from '../../../../server/hub/webhooks/views/charts.ts'
import { countDeliveries } from '../../../../server/hub/webhooks/views/statistics.ts'

const request = { method: 'POST', url: 'http://localhost/', headers: [] }

function attempt(durationMs: number, more: Partial<Attempt> = {}): Attempt {
  return {
    id: 'd/1',
    deliveryId: 'd',
    number: 1,
    source: 'auto',
    at: 0,
    outcome: 'succeeded',
    durationMs,
    request,
    ...more,
  }
}

function failed(
  error: NonNullable<Attempt['error']>['class'],
  more: Partial<Attempt> = {},
): Attempt {
  return attempt(1, { outcome: 'failed', error: { class: error, message: 'so' }, ...more })
}

function delivery(createdAt: number, more: Partial<Delivery> = {}): Delivery {
  return {
    id: 'd',
    seq: 1,
    messageId: 'm',
    webhookId: 'w',
    eventId: 'e',
    scope: 'repo',
    action: 'update',
    repo: 'acme/corpus',
    repoType: 'dataset',
    repoId: 'r',
    state: 'succeeded',
    matchedBy: 'org:acme',
    attempts: 1,
    tries: 0,
    createdAt,
    ...more,
  }
}

const filled = (attempts: readonly Attempt[]) =>
  measureLatency(attempts).buckets.filter((bucket) => bucket.succeeded + bucket.failed > 0)

describe('latency', () => {
  test('no attempts give no percentiles and empty buckets', () => {
    const { buckets, ...figures } = measureLatency([])
    expect(figures).toEqual({ measured: 0, notMeasured: 0 })
    expect(buckets).toHaveLength(16)
    expect(buckets.at(-1)).toEqual({ fromMs: 30_000, succeeded: 0, failed: 0 })
  })

  test('the percentiles of one attempt are its latency', () => {
    expect(measureLatency([attempt(7)])).toMatchObject({ p50Ms: 7, p90Ms: 7, p99Ms: 7, maxMs: 7 })
  })

  test('percentiles are ranked by number, in any order of arrival', () => {
    const attempts = Array.from({ length: 100 }, (_, index) => attempt(((index * 37) % 100) + 1))
    expect(measureLatency(attempts)).toMatchObject({ p50Ms: 50, p90Ms: 90, p99Ms: 99, maxMs: 100 })
  })

  test.each([
    'dns_error',
    'connection_refused',
    'network_unreachable',
    'connect_timeout',
    'tls_error',
    'timeout',
    'connection_reset',
    'protocol_error',
  ] as const)('an attempt that ended in %s is no response', (error) => {
    const figures = measureLatency([attempt(50), failed(error)])
    expect(figures).toMatchObject({ measured: 1, notMeasured: 1, p50Ms: 50 })
  })

  test('one slow response does not change the lower percentiles, and one that never came is none', () => {
    const attempts = [
      ...Array.from({ length: 999 }, () => attempt(3)),
      failed('http_status', { durationMs: 29_001 }),
      failed('timeout', { durationMs: 30_001 }),
    ]
    expect(measureLatency(attempts)).toMatchObject({ p99Ms: 3, maxMs: 29_001, notMeasured: 1 })
    expect(filled(attempts)).toEqual([
      { fromMs: 2, toMs: 5, succeeded: 999, failed: 0 },
      { fromMs: 20_000, toMs: 30_000, succeeded: 0, failed: 1 },
    ])
  })

  test.each([
    [0, 0],
    [0.4, 0],
    [1, 1],
    [1.99, 1],
    [2, 2],
    [29_999, 20_000],
    [30_000, 30_000],
    [1e7, 30_000],
  ])('%d ms counts in the bucket from %d ms', (durationMs, fromMs) => {
    expect(filled([attempt(durationMs)])).toMatchObject([{ fromMs }])
  })

  test('attempts that never reached a receiver are not measured', () => {
    const { request: _request, ...job } = attempt(900)
    const { durationMs: _duration, ...underWay } = attempt(1)
    const attempts = [failed('sender_fault'), failed('blocked_target'), job, underWay, attempt(3)]
    expect(measureLatency(attempts)).toMatchObject({ measured: 1, notMeasured: 3, maxMs: 3 })
  })
})

describe('errors', () => {
  test('errors are counted by class and status, with the newest of each', () => {
    const attempts = [
      failed('http_status', { status: 503, at: 2, deliveryId: 'b' }),
      failed('http_status', { status: 503, at: 1, deliveryId: 'a' }),
      failed('http_status', { status: 404 }),
      failed('timeout'),
      failed('timeout'),
      failed('timeout'),
      attempt(1),
    ]
    expect(countErrors(attempts, 2)).toEqual({
      errors: [
        { class: 'timeout', count: 3, lastAt: 0, lastDeliveryId: 'd' },
        { class: 'http_status', status: 503, count: 2, lastAt: 2, lastDeliveryId: 'b' },
      ],
      others: 1,
    })
  })
})

describe('deliveries over time', () => {
  test('no deliveries give no spans', () => {
    expect(countOverTime([], 5000, 48)).toEqual({ spanMs: 0, spans: [] })
  })

  test('one delivery gives one span', () => {
    expect(countOverTime([delivery(5000)], 5000, 48).spans).toHaveLength(1)
  })

  test('spans reach from the oldest delivery to now, up to the requested number', () => {
    const deliveries = [0, 10_000, 59_999].map((at) => delivery(at))
    const { spanMs, spans } = countOverTime(deliveries, 100_000, 10)
    expect(spans.length).toBeLessThanOrEqual(10)
    expect(spans[0]?.from).toBe(0)
    expect((spans.at(-1)?.from ?? 0) + spanMs).toBeGreaterThan(100_000)
    expect(spans.map(({ succeeded }) => succeeded)).toEqual([2, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  })

  test('deliveries from before the clock was set back are counted', () => {
    const { spans } = countOverTime([delivery(0), delivery(90_000)], 10_000, 10)
    expect(spans.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(2)
  })

  test('a job that was only recorded counts as neither a success nor a failure', () => {
    const deliveries = [delivery(0, { recorded: true }), delivery(0)]
    expect(countOverTime(deliveries, 1000, 1).spans).toEqual([
      { from: 0, succeeded: 1, failed: 0, failing: 0, open: 0 },
    ])
    expect(countDeliveries(deliveries)).toMatchObject({ attempted: 1, succeeded: 1, failed: 0 })
  })

  test('failing deliveries are told from failed ones, and cancelled ones do not count', () => {
    const deliveries = [
      delivery(0, { state: 'failed' }),
      delivery(0, { state: 'waiting', tries: 2 }),
      // Its replay failed.
      delivery(0, { state: 'held', tries: 0, attempts: 1 }),
      delivery(0, { state: 'queued', attempts: 0 }),
      delivery(0, { state: 'sending', attempts: 1 }),
      delivery(0, { state: 'cancelled' }),
    ]
    expect(countOverTime(deliveries, 0, 10).spans).toEqual([
      { from: 0, succeeded: 0, failed: 1, failing: 2, open: 2 },
    ])
  })
})
