import type { Clock } from '../core/clock.ts'

/** RFC 8628 §3.2: what a client assumes when no `interval` was sent. */
const defaultIntervalSeconds = 5
/** Clients wait from answer to request, we count from request to request: allow for their timers. */
const toleranceMs = 250

/**
 * How fast each device polls. Kept in memory only: a restart forgives, and a poll writes nothing.
 * @see RFC 8628 §3.5
 */
export interface DevicePolls {
  /** Notes a poll; `true` when it came too early, which makes the interval 5 s longer. The first is never too early. */
  tooFast(deviceCode: string): boolean
  intervalSeconds(deviceCode: string): number
  /** How long the next poll must still wait, milliseconds; 0 = it may come. */
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

  // Under a frozen clock only real time tells that a client waited, after an advance only the sandbox's.
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
