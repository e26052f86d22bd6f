import type { Verdict } from '../../contract/control-experiments.ts'
import { formatDuration } from '../../core/duration.ts'
import type { Attempt } from '../../store/entities/webhook-entities.ts'
import { words } from './words.ts'

export type Judgement = Pick<Verdict, 'state' | 'text'>

/** A response this soon is a refusal for another reason, such as a wrong URL. */
const atOnceMs = 500

/** Judges a receiver by its response to a body that was sent slowly. */
export function judgeSlowBody({ error, timings = {} }: Attempt): Judgement {
  const { sendMs, waitMs } = timings
  if (sendMs === undefined) return notReached(error)
  if (error !== undefined) return { state: 'failed', text: words.refusedSlow(error.message) }
  return waitMs === undefined
    ? { state: 'failed', text: words.respondedEarly }
    : { state: 'passed', text: words.waitedForBody(seconds(sendMs)) }
}

/**
 * Judges a receiver by how it ended a request whose body stopped halfway.
 * @param deadlineMs time after which the sandbox itself ended the request
 */
export function judgeHalfBody(
  { error, status, timings = {} }: Attempt,
  deadlineMs: number,
): Judgement {
  const { sendMs } = timings
  if (sendMs === undefined) return notReached(error)
  if (status === undefined && error?.class === 'timeout') {
    return { state: 'failed', text: words.stillWaiting(formatDuration(deadlineMs)) }
  }
  if (status !== undefined && status >= 200 && status < 300) {
    return { state: 'failed', text: words.acceptedHalf(status) }
  }
  const how = status === undefined ? words.closed : words.respondedWith(status)
  return sendMs < atOnceMs
    ? { state: 'unclear', text: words.endedAtOnce(how) }
    : { state: 'passed', text: words.gaveUpAfter(how, seconds(sendMs)) }
}

function notReached(error: Attempt['error']): Judgement {
  return { state: 'unclear', text: words.notReached(error?.message ?? '') }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
