import type { Clock } from '../../core/clock.ts'

/** Default of clients when no `interval` was sent (RFC 8628 §3.2). */
const defaultIntervalSeconds = 5
/** Tolerance for timers: clients wait from response to request, but this counts from request to request. */
const toleranceMs = 250

/**
 * Tracks the polls of each device, in memory only: a restart resets it, and a poll writes nothing.
 * @see RFC 8628 §3.5
 */
export interface DevicePolls {
  /** Records a poll; returns whether it came too early, which adds 5 s to the interval. The first never does. */
  tooFast(deviceCode: string): boolean
  intervalSeconds(deviceCode: string): number
  /** Returns the milliseconds until the next poll is allowed; 0 = now. */
  waitMs(deviceCode: string): number
  forget(deviceCode: string): void
  clear(): void
}

interface Poll {
  at: number
  realAt: number
  intervalSeconds: number
}

export function createDevicePolls(
  clock: Pick<Clock, 'now' | 'realNow'>,
  intervalSeconds = defaultIntervalSeconds,
): DevicePolls {
  const polls = new Map<string, Poll>()

  // Under a frozen clock only real time shows that a client waited, after an advance only the sandbox clock.
  function waitMs({ at, realAt, intervalSeconds: seconds }: Poll): number {
    const waited = Math.max(clock.now() - at, clock.realNow() - realAt)
    return Math.max(0, seconds * 1000 - toleranceMs - waited)
  }

  return {
    tooFast(deviceCode) {
      const last = polls.get(deviceCode)
      const [at, realAt] = [clock.now(), clock.realNow()]
      if (last === undefined) {
        polls.set(deviceCode, { at, realAt, intervalSeconds })
        return false
      }
      const early = waitMs(last) > 0
      const longer = last.intervalSeconds + (early ? defaultIntervalSeconds : 0)
      polls.set(deviceCode, { at, realAt, intervalSeconds: longer })
      return early
    },
    intervalSeconds: (deviceCode) => polls.get(deviceCode)?.intervalSeconds ?? intervalSeconds,
    waitMs(deviceCode) {
      const last = polls.get(deviceCode)
      return last === undefined ? 0 : waitMs(last)
    },
    forget: (deviceCode) => void polls.delete(deviceCode),
    clear: () => polls.clear(),
  }
}
