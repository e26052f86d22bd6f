import type { Deps } from '../deps.ts'
import type { Principal } from './principal.ts'

/** Requests that the hub counts separately: API calls, files, and pages. */
export type RateLimitBucket = 'api' | 'resolvers' | 'pages'

type Quotas = Readonly<Record<RateLimitBucket, number>>

/** Requests per window, by kind of caller. */
const quotas = {
  anonymous: { api: 500, resolvers: 3000, pages: 100 },
  free: { api: 1000, resolvers: 5000, pages: 200 },
  pro: { api: 2500, resolvers: 12_000, pages: 400 },
  team: { api: 3000, resolvers: 20_000, pages: 400 },
  enterprise: { api: 6000, resolvers: 50_000, pages: 600 },
} as const satisfies Record<string, Quotas>

const windowSeconds = 300

export interface RateLimitReading {
  bucket: RateLimitBucket
  quota: number
  /** Requests left in this window. */
  remaining: number
  /** Seconds until the next window. */
  resetSeconds: number
  windowSeconds: number
  exceeded: boolean
}

/** Counts requests in fixed windows of five minutes on the sandbox clock; in memory, so a restart resets it. */
export interface RateLimits {
  /** @param address IP address of the caller, which counts without an account */
  count(bucket: RateLimitBucket, principal: Principal, address: string): RateLimitReading
  clear(): void
}

export function createRateLimits(deps: Pick<Deps, 'clock' | 'state'>): RateLimits {
  let window = Number.NaN
  const used = new Map<string, number>()
  return {
    count(bucket, principal, address) {
      const seconds = deps.clock.now() / 1000
      const current = Math.floor(seconds / windowSeconds)
      if (current !== window) {
        window = current
        used.clear()
      }
      const caller = principal.kind === 'anonymous' ? address : principal.user.id
      const key = `${bucket} ${caller}`
      const count = (used.get(key) ?? 0) + 1
      used.set(key, count)
      const quota = quotasOf(deps, principal)[bucket]
      return {
        bucket,
        quota,
        remaining: Math.max(quota - count, 0),
        resetSeconds: Math.ceil((current + 1) * windowSeconds - seconds),
        windowSeconds,
        exceeded: count > quota,
      }
    },
    clear: () => used.clear(),
  }
}

/** A member has the quota of the best plan among the account's own and its organizations'. */
function quotasOf({ state }: Pick<Deps, 'state'>, principal: Principal): Quotas {
  if (principal.kind === 'anonymous') return quotas.anonymous
  const plans = state.organizations.group('member', principal.user.id).map(({ plan }) => plan)
  if (plans.includes('enterprise') || plans.includes('plus')) return quotas.enterprise
  if (plans.includes('team') || plans.includes('academia')) return quotas.team
  return principal.user.isPro ? quotas.pro : quotas.free
}
