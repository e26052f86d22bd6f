import { describe, expect, test } from 'vitest'
import type { QueriedDelivery } from '../../../../server/contract/query/subjects.ts'
import { summarize } from '../../../../server/hub/webhooks/views/delivery-summary.ts'

const base: QueriedDelivery = {
  id: 'd',
  webhookId: 'w',
  eventId: 'e',
  scope: 'repo.content',
  action: 'update',
  repo: 'acme/corpus',
  repoType: 'dataset',
  state: 'queued',
  attempts: 0,
  hasEnded: false,
  at: Date.UTC(2026),
}
const row = (part: Partial<QueriedDelivery>): QueriedDelivery => ({ ...base, ...part })

const succeeded = row({
  state: 'succeeded',
  status: 200,
  attempts: 1,
  hasEnded: true,
  atFirst: true,
})
const atOnce = succeeded
const replayed = { ...succeeded, attempts: 2 }
const retried = row({ state: 'succeeded', status: 200, attempts: 3, hasEnded: true })
const waiting = row({
  state: 'waiting',
  attempts: 2,
  hasEnded: true,
  errorClass: 'http_status',
})
const givenUp = row({
  state: 'failed',
  attempts: 4,
  hasEnded: true,
  errorClass: 'http_status',
})
const queued = row({})
const skipped = row({ state: 'skipped' })

describe('what the deliveries came to', () => {
  test('one that waits for its retry has not succeeded', () => {
    expect(summarize([atOnce, waiting])).toMatchObject({
      successRate: 0.5,
      firstAttemptRate: 0.5,
      failing: 1,
      failed: 0,
      pending: 0,
    })
  })

  test('quantiles are measured times, by nearest rank', () => {
    const took = (count: number) =>
      Array.from({ length: count }, (_, index) => row({ ...atOnce, durationMs: index + 1 }))
    expect(summarize(took(20))).toMatchObject({ p50Ms: 10, p95Ms: 19 })
    expect(summarize(took(1))).toMatchObject({ p50Ms: 1, p95Ms: 1 })
    expect(summarize([]).p50Ms).toBeUndefined()
    // Not in the order of text.
    expect(summarize(took(120))).toMatchObject({ p50Ms: 60, p95Ms: 114 })
  })

  test('a receiver that was not reached has no response time', () => {
    const answered = row({ ...atOnce, durationMs: 80 })
    const unreached = (['connection_refused', 'dns_error', 'tls_error'] as const).map(
      (errorClass) =>
        row({ state: 'failed', attempts: 1, hasEnded: true, errorClass, durationMs: 2 }),
    )
    expect(summarize([answered, ...unreached])).toMatchObject({ p50Ms: 80, p95Ms: 80, failed: 3 })
    const hung = (['timeout', 'connection_reset', 'protocol_error'] as const).map((errorClass) =>
      row({ ...unreached[0], errorClass, durationMs: 10_000 }),
    )
    expect(summarize([answered, ...hung])).toMatchObject({ p50Ms: 80, p95Ms: 80, failed: 3 })
  })

  test('a delivery whose first attempt is under way does not count in a rate', () => {
    const sending = row({ state: 'sending', attempts: 1 })
    expect(summarize([atOnce, sending])).toMatchObject({ successRate: 1, firstAttemptRate: 1 })
    expect(summarize([sending]).successRate).toBeNull()
  })

  test('what was never attempted has no part in a rate', () => {
    expect(summarize([atOnce, queued, skipped])).toMatchObject({
      successRate: 1,
      firstAttemptRate: 1,
      failing: 0,
      pending: 1,
      skipped: 1,
      total: 2,
    })
    expect(summarize([queued, skipped])).toMatchObject({
      successRate: null,
      firstAttemptRate: null,
    })
  })

  test('a job that was recorded and not run is no success', () => {
    const { status: _none, ...job } = succeeded
    const recorded = { ...job, recorded: true }
    expect(summarize([recorded, waiting])).toMatchObject({
      succeeded: 0,
      successRate: 0,
      notRun: 1,
      total: 2,
    })
    expect(summarize([recorded]).spans).toMatchObject([{ succeeded: 0, failed: 0, open: 0 }])
  })

  test('a later success is none at the first attempt, and a replay takes none away', () => {
    expect(summarize([replayed, retried, givenUp, waiting])).toMatchObject({
      succeeded: 2,
      successRate: 0.5,
      firstAttemptRate: 0.25,
      failed: 1,
      failing: 1,
    })
  })

  test('attempts of audits count nowhere', () => {
    const audited = row({ ...givenUp, source: 'audit' })
    expect(summarize([atOnce, audited])).toMatchObject({
      total: 1,
      failed: 0,
      skipped: 0,
      audits: 1,
      spans: [{ succeeded: 1, failed: 0 }],
    })
    expect(summarize([audited]).spans).toEqual([])
  })

  test('the chart tells what is failing now from what was given up', () => {
    expect(summarize([atOnce, waiting, givenUp, queued, skipped]).spans).toMatchObject([
      { succeeded: 1, failed: 1, failing: 1, open: 1 },
    ])
  })

  test('the chart has at most 48 equal spans from the oldest to the newest', () => {
    const at = (...times: number[]) =>
      summarize(times.map((time) => row({ ...atOnce, at: base.at + time })))
    const wide = at(0, 100_000, 47_999)
    expect([wide.spans.length, wide.spanMs]).toEqual([48, 2084])
    expect(wide.spans.map((span) => span.succeeded).join('')).toMatch(/^10{22}10{23}1$/)
    expect(wide.spans[1]?.from).toBe('2026-01-01T00:00:02.084Z')
    // Within a few milliseconds there are no more spans than milliseconds.
    expect(at(0, 2)).toMatchObject({ spanMs: 1, spans: [{}, {}, {}] })
  })
})
