import { endOf, type SeenRequest, withoutStyleProbes } from '../../checks/evidence.ts'
import { deviceCodeGrant, pollAgainErrors } from '../../../contract/words/oauth-words.ts'

/** Pause where none is named, and added to it after each `slow_down` (RFC 8628 §3.5). */
export const usualPauseMs = 5000
/** Time beyond a pause, for an app on a busy machine. */
const graceMs = 1000

/**
 * Reads how far a device sign-in is. It has ended when the app has tokens, when it was refused and had the time to poll
 * once more, or when it has been silent for twice as long as it had to wait.
 * @param requests requests of one app since the sign-in was expected, in order
 * @param nowMs real milliseconds, as in the requests
 * @param intervalMs pause between polls that the sandbox asks for
 */
export function deviceProgress(
  requests: readonly SeenRequest[],
  nowMs: number,
  intervalMs: number,
): 'absent' | 'polling' | 'ended' {
  const begun = requests.find(({ path, record }) => path === '/oauth/device' && isSuccess(record))
  if (begun === undefined) return 'absent'
  const polls = withoutStyleProbes(
    requests.filter(({ record }) => record.grantType === deviceCodeGrant),
  )
  if (polls.some(({ record }) => isSuccess(record))) return 'ended'
  const silentMs = nowMs - endOf(polls.at(-1) ?? begun)
  // The response may have named no interval.
  const pauseMs = Math.max(intervalMs, usualPauseMs)
  const refused = polls.findIndex(({ record }) => isRefusal(record))
  if (refused !== -1) {
    const polledOn = refused < polls.length - 1
    return polledOn || silentMs > pauseMs + graceMs ? 'ended' : 'polling'
  }
  const slowDowns = polls.filter(({ record }) => record.error === 'slow_down').length
  return silentMs > 2 * (pauseMs + slowDowns * usualPauseMs) + graceMs ? 'ended' : 'polling'
}

function isSuccess({ status }: SeenRequest['record']): boolean {
  return status === 200
}

/** Refused for good: no network error, failure of the hub or request to wait. */
function isRefusal({ status, error }: SeenRequest['record']): boolean {
  return status >= 400 && status < 500 && error !== undefined && !pollAgainErrors.has(error)
}
