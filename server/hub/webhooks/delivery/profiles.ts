import type { DeliveryProfileName } from '../../../contract/words/webhook-words.ts'

/** Rules for deliveries. The Hub documents some of them; the others are choices of the sandbox. */
export interface DeliveryProfile {
  readonly name: DeliveryProfileName
  /** Waits after the first attempt, the second and so on; one retry per wait. */
  readonly retryDelaysMs: readonly number[]
  /** Share of each wait by which it is randomly longer or shorter, at most. */
  readonly jitter: number
  /** Whether a non-2xx response is retried and counts towards suspension; a missing response always does. */
  readonly countsStatus: boolean
  /** `clamped`: between the planned wait and twice that. */
  readonly retryAfter: 'ignored' | 'clamped' | 'honoured'
  /** Real time from the first packet to the last byte that is stored. */
  readonly deadlineMs: number
  readonly connectTimeoutMs: number
  readonly suspension:
    | { readonly after: 'failures'; readonly count: number }
    | { readonly after: 'time'; readonly ms: number }
    | { readonly after: 'never' }
  /** Whether 410 Gone disables the webhook. */
  readonly disableOnGone: boolean
  /** Deliveries per webhook in 24 hours; absent = no limit. */
  readonly quota?: number
  /** Headers beyond the documented ones. */
  readonly extraHeaders: 'none' | 'sandbox' | 'standard-webhooks'
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const hub: DeliveryProfile = {
  name: 'hub',
  retryDelaysMs: [10 * second, minute, 5 * minute, 30 * minute, 2 * hour],
  jitter: 0.2,
  countsStatus: true,
  retryAfter: 'clamped',
  deadlineMs: 30 * second,
  connectTimeoutMs: 10 * second,
  suspension: { after: 'failures', count: 10 },
  disableOnGone: false,
  quota: 1000,
  extraHeaders: 'none',
}

const profiles: Record<DeliveryProfileName, DeliveryProfile> = {
  hub,
  'hub-2026-08': { ...hub, name: 'hub-2026-08', countsStatus: false, retryAfter: 'ignored' },
  ci: {
    name: 'ci',
    retryDelaysMs: [50, 200, second],
    jitter: 0,
    countsStatus: true,
    retryAfter: 'ignored',
    deadlineMs: 2 * second,
    connectTimeoutMs: 2 * second,
    suspension: { after: 'never' },
    disableOnGone: false,
    extraHeaders: 'sandbox',
  },
  'standard-webhooks': {
    name: 'standard-webhooks',
    retryDelaysMs: [
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ],
    jitter: 0.2,
    countsStatus: true,
    retryAfter: 'honoured',
    deadlineMs: 20 * second,
    connectTimeoutMs: 10 * second,
    suspension: { after: 'time', ms: 5 * 24 * hour },
    disableOnGone: true,
    extraHeaders: 'standard-webhooks',
  },
}

export function profileNamed(name: DeliveryProfileName): DeliveryProfile {
  return profiles[name]
}
