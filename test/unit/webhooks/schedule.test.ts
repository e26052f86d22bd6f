import { describe, expect, it } from 'vitest'
import { profileNamed } from '../../../server/webhooks/profiles.ts'
import { nextRetryDelay, parseRetryAfter } from '../../../server/webhooks/schedule.ts'
import { afterDelivery } from '../../../server/webhooks/suspension.ts'
import type { Webhook } from '../../../server/state/entities/webhooks.ts'

const hub = profileNamed('hub')
const failed = { error: 'http_status' } as const
const minute = 60_000

describe('retry schedule', () => {
  it('has five retries in the hub profile, each a fifth earlier or later', () => {
    const planned = [10_000, minute, 5 * minute, 30 * minute, 120 * minute]
    expect(planned.map((_, index) => nextRetryDelay(hub, index + 1, failed, 0.5))).toEqual(planned)
    expect(nextRetryDelay(hub, 6, failed, 0.5)).toBeUndefined()
    expect(nextRetryDelay(hub, 2, failed, 0)).toBe(48_000)
    expect(nextRetryDelay(hub, 2, failed, 1)).toBe(72_000)
  })

  it('did not retry an answer before September 2026, only its absence', () => {
    const old = profileNamed('hub-2026-08')
    for (const error of ['http_status', 'redirect'] as const) {
      expect(nextRetryDelay(old, 1, { error }, 0.5)).toBeUndefined()
    }
    for (const error of ['timeout', 'connection_refused', 'dns_error', 'tls_error'] as const) {
      expect(nextRetryDelay(old, 1, { error }, 0.5)).toBe(10_000)
    }
  })

  it('never retries what the sandbox refuses, and jobs that have run', () => {
    expect(nextRetryDelay(hub, 1, { error: 'blocked_target' }, 0.5)).toBeUndefined()
    expect(nextRetryDelay(hub, 1, { error: 'job_failed' }, 0.5)).toBeUndefined()
  })

  it('heeds Retry-After by profile', () => {
    const asking = (retryAfterMs: number) => ({ ...failed, retryAfterMs })
    expect(nextRetryDelay(hub, 2, asking(90_000), 0.5)).toBe(90_000)
    expect(nextRetryDelay(hub, 2, asking(1), 0.5)).toBe(minute)
    expect(nextRetryDelay(hub, 2, asking(1e9), 0.5)).toBe(2 * minute)
    expect(nextRetryDelay(profileNamed('ci'), 1, asking(90_000), 0.5)).toBe(50)
    const standard = profileNamed('standard-webhooks')
    expect(nextRetryDelay(standard, 1, asking(90_000), 0.5)).toBe(90_000)
    expect(nextRetryDelay(standard, 1, asking(1e12), 0.5)).toBe(24 * 60 * minute)
  })

  it.each([
    ['120', 120_000],
    [' 5 ', 5000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Thu, 01 Jan 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %s', (value, ms) => {
    expect(parseRetryAfter(value, Date.UTC(2026, 0, 1))).toBe(ms)
  })
})

describe('suspension by profile', () => {
  const webhook: Webhook = {
    id: 'a'.repeat(24),
    ownerId: 'b'.repeat(24),
    watched: [],
    domains: [],
    status: 'enabled',
    consecutiveFailures: 0,
    createdAt: 0,
  }
  const verdict = { outcome: 'failed', error: 'http_status', status: 500, message: 'no' } as const
  const day = 86_400_000

  it('by time: five days of nothing but failure', () => {
    const profile = profileNamed('standard-webhooks')
    const first = afterDelivery(webhook, verdict, profile, 0)
    expect(afterDelivery(first, verdict, profile, 5 * day - 1).status).toBe('enabled')
    expect(afterDelivery(first, verdict, profile, 5 * day)).toMatchObject({
      status: 'suspended-after-failure',
      suspendedBecause: 'every delivery failed for 5d; the last one: no',
    })
    const healed = afterDelivery(first, { outcome: 'succeeded' }, profile, day)
    expect(healed).toEqual(webhook)
  })

  it('410 Gone disables in standard-webhooks, and is a failure like others on the hub', () => {
    const gone = { ...verdict, status: 410 }
    expect(afterDelivery(webhook, gone, profileNamed('standard-webhooks'), 0).status).toBe(
      'disabled',
    )
    expect(afterDelivery(webhook, gone, hub, 0).status).toBe('enabled')
  })

  it.each(['sender_fault', 'aborted_by_shutdown', 'blocked_target', 'job_failed'] as const)(
    '%s does not count',
    (error) => {
      expect(afterDelivery(webhook, { ...verdict, error }, hub, 0)).toBe(webhook)
    },
  )
})
