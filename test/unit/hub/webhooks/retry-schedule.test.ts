import { describe, expect, test } from 'vitest'
import { profileNamed } from '../../../../server/hub/webhooks/delivery/profiles.ts'
import {
  nextRetryDelay,
  parseRetryAfter,
} from '../../../../server/hub/webhooks/delivery/retry-schedule.ts'
import {
  afterFailure,
  withoutFailures,
} from '../../../../server/hub/webhooks/delivery/suspension.ts'
import type { Webhook } from '../../../../server/store/entities/webhook-entities.ts'

const hub = profileNamed('hub')
const failed = { error: 'http_status' } as const
const minute = 60_000

describe('retry schedule', () => {
  test('has five retries in the hub profile, each a fifth earlier or later', () => {
    const planned = [10_000, minute, 5 * minute, 30 * minute, 120 * minute]
    expect(planned.map((_, index) => nextRetryDelay(hub, index + 1, failed, 0.5))).toEqual(planned)
    expect(nextRetryDelay(hub, 6, failed, 0.5)).toBeUndefined()
    expect(nextRetryDelay(hub, 2, failed, 0)).toBe(48_000)
    expect(nextRetryDelay(hub, 2, failed, 1)).toBe(72_000)
  })

  test('did not retry an answer before September 2026, only its absence', () => {
    const old = profileNamed('hub-2026-08')
    for (const error of ['http_status', 'redirect'] as const) {
      expect(nextRetryDelay(old, 1, { error }, 0.5)).toBeUndefined()
    }
    for (const error of ['timeout', 'connection_refused', 'dns_error', 'tls_error'] as const) {
      expect(nextRetryDelay(old, 1, { error }, 0.5)).toBe(10_000)
    }
  })

  test('takes what a fault rule answers for an answer, and what it breaks for none', () => {
    const error = 'sender_fault'
    const old = profileNamed('hub-2026-08')
    expect(nextRetryDelay(old, 1, { error, status: 500 }, 0.5)).toBeUndefined()
    expect(nextRetryDelay(old, 1, { error }, 0.5)).toBe(10_000)
    expect(nextRetryDelay(hub, 1, { error, status: 500 }, 0.5)).toBe(10_000)
  })

  test('never retries what the sandbox refuses, and jobs that have run', () => {
    expect(nextRetryDelay(hub, 1, { error: 'blocked_target' }, 0.5)).toBeUndefined()
    expect(nextRetryDelay(hub, 1, { error: 'job_failed' }, 0.5)).toBeUndefined()
  })

  test('heeds Retry-After by profile', () => {
    const asking = (retryAfterMs: number) => ({ ...failed, retryAfterMs })
    expect(nextRetryDelay(hub, 2, asking(90_000), 0.5)).toBe(90_000)
    expect(nextRetryDelay(hub, 2, asking(1), 0.5)).toBe(minute)
    expect(nextRetryDelay(hub, 2, asking(1e9), 0.5)).toBe(2 * minute)
    expect(nextRetryDelay(profileNamed('ci'), 1, asking(90_000), 0.5)).toBe(50)
    const standard = profileNamed('standard-webhooks')
    expect(nextRetryDelay(standard, 1, asking(90_000), 0.5)).toBe(90_000)
    expect(nextRetryDelay(standard, 1, asking(1e12), 0.5)).toBe(24 * 60 * minute)
  })

  test.each([
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
  const failure = {
    deliveryId: 'd'.repeat(24),
    at: 0,
    error: { class: 'http_status', message: 'no' },
    status: 500,
    isLast: true,
  } as const
  const day = 86_400_000
  const standard = profileNamed('standard-webhooks')

  test('by time: five days after the first failed attempt, whichever attempt comes then', () => {
    const retried = { ...failure, isLast: false }
    const first = afterFailure(webhook, { ...retried, at: 1000 }, standard, 9000)
    const second = afterFailure(first, { ...retried, at: day }, standard, day)
    expect(second).toMatchObject({ firstFailureAt: 1000, failedAttempts: 2 })
    expect(afterFailure(second, retried, standard, 5 * day + 999).status).toBe('enabled')
    expect(afterFailure(second, retried, standard, 5 * day + 1000)).toMatchObject({
      status: 'suspended-after-failure',
      suspendedBecause: 'every attempt failed for 5d; last error: no',
    })
    expect(withoutFailures(second)).toEqual(webhook)
  })

  test('410 Gone disables at once in standard-webhooks, and is a failure like others on the hub', () => {
    const gone = { ...failure, status: 410, isLast: false }
    expect(afterFailure(webhook, gone, standard, 0).status).toBe('disabled')
    expect(nextRetryDelay(standard, 1, { error: 'http_status', status: 410 }, 0.5)).toBeUndefined()
    expect(afterFailure(webhook, gone, hub, 0).status).toBe('enabled')
    expect(nextRetryDelay(hub, 1, { error: 'http_status', status: 410 }, 0.5)).toBe(10_000)
  })

  test('counts deliveries, not attempts', () => {
    expect(afterFailure(webhook, { ...failure, isLast: false }, hub, 0).consecutiveFailures).toBe(0)
    expect(afterFailure(webhook, failure, hub, 0).consecutiveFailures).toBe(1)
  })

  test.each(['http_status', 'redirect'] as const)(
    'before September 2026 %s did not count towards it, a missing answer did',
    (name) => {
      const old = profileNamed('hub-2026-08')
      const answered = { ...failure, error: { class: name, message: 'no' } }
      expect(afterFailure(webhook, answered, old, 0)).toMatchObject({
        consecutiveFailures: 0,
        lastFailure: { error: { class: name } },
      })
      const refused = { ...failure, error: { class: 'connection_refused', message: 'no' } } as const
      expect(afterFailure(webhook, refused, old, 0).consecutiveFailures).toBe(1)
    },
  )

  test.each(['blocked_target', 'job_failed'] as const)('%s is shown and does not count', (name) => {
    const shown = afterFailure(webhook, { ...failure, error: { class: name, message: '' } }, hub, 0)
    expect(shown).toMatchObject({ consecutiveFailures: 0, failedAttempts: 1 })
  })

  test.each(['sender_fault', 'aborted_by_shutdown'] as const)('%s says nothing of it', (name) => {
    const error = { class: name, message: '' }
    expect(afterFailure(webhook, { ...failure, error }, hub, 0)).toBe(webhook)
  })
})
