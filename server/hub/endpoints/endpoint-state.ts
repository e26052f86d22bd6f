import type { EndpointState } from '../../contract/words/endpoint-words.ts'
import type { InferenceEndpoint } from '../../store/entities/endpoint-entities.ts'

/** Times after a start, on the sandbox clock. */
const pendingMs = 1000
const startMs = 3000
const updateMs = 2000

/** Returns the state of an inference endpoint at a time. */
export function stateOfEndpoint(endpoint: InferenceEndpoint, now: number): EndpointState {
  const { condition, since } = endpoint
  const age = now - since
  switch (condition) {
    case 'paused':
    case 'scaledToZero':
      return condition
    case 'started':
      if (age < pendingMs) return 'pending'
      if (age < startMs) return 'initializing'
      return isIdle(endpoint, since + startMs, now) ? 'scaledToZero' : 'running'
    default:
      if (age < updateMs) return 'updating'
      return isIdle(endpoint, since + updateMs, now) ? 'scaledToZero' : 'running'
  }
}

/** Returns the time at which the state changes without a request, in milliseconds; `undefined` = never. */
export function nextChangeOf(endpoint: InferenceEndpoint, now: number): number | undefined {
  const { condition, since } = endpoint
  switch (stateOfEndpoint(endpoint, now)) {
    case 'pending':
      return since + pendingMs
    case 'initializing':
      return since + startMs
    case 'updating':
      return since + updateMs
    case 'running':
      return idleAt(endpoint, since + (condition === 'started' ? startMs : updateMs))
    default:
      return undefined
  }
}

function isIdle(endpoint: InferenceEndpoint, runningSince: number, now: number): boolean {
  return now >= (idleAt(endpoint, runningSince) ?? Infinity)
}

/** Returns the time at which an endpoint without further requests scales to zero. */
function idleAt(
  { compute: { scaling }, lastRequestAt = 0 }: InferenceEndpoint,
  runningSince: number,
): number | undefined {
  const { minReplica, scaleToZeroTimeout: minutes } = scaling
  if (minReplica > 0 || typeof minutes !== 'number') return undefined
  return Math.max(runningSince, lastRequestAt) + minutes * 60_000
}
