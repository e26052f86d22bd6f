import { isClockTime } from '../../core/clock.ts'
import { formatDuration } from '../../core/duration.ts'
import { moveClock } from '../clock/move-clock.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { describeExpiring } from './expiring.ts'
import { fixturesLine, type FixDeps, type Offer } from './offer.ts'
import { isPoll, type RefusedRequest } from './refused-request.ts'

/** Offers to move the clock past the interval that a device has to wait (RFC 8628 §3.5). */
export function offerClock(deps: FixDeps, refused: RefusedRequest, app: App): Offer[] {
  if (!isPoll(refused) || refused.error !== 'slow_down') return []
  const { clock, state, polls } = deps
  const device = state.deviceAuthorizations.get(refused.parameters.get('device_code') ?? '')
  if (device?.status !== 'pending' || polls.waitMs(device.id) === 0) return []
  const advanceMs = polls.intervalSeconds(device.id) * 1000
  const until = clock.now() + advanceMs
  // A code that ends by the move is not helped by it.
  if (device.expiresAt <= until || !isClockTime(until)) return []
  const advance = formatDuration(advanceMs)
  return [
    {
      fix: {
        kind: 'clock',
        title: `Advance the clock by ${advance}`,
        change: `The clock of the whole sandbox goes ${advance} ahead, so that the next poll of ${app.name} for ${device.userCode} is not too early. It stays ahead.`,
        fixtures: {
          place: 'config: device',
          lines: fixturesLine('interval', '1s'),
        },
        onTheHub: `The Hub's clock cannot be moved: let the device wait ${advance} before it polls again, and 5 s longer after each slow_down.`,
        alsoExpires: describeExpiring(deps, until),
      },
      make: () => moveClock(deps, { advance }),
    },
  ]
}
