import type { EndpointState } from '../../contract/words/endpoints.ts'
import type { InferenceEndpoint } from '../../state/entities/endpoints.ts'

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

function isIdle(
  { compute: { scaling }, lastRequestAt = 0 }: InferenceEndpoint,
  runningSince: number,
  now: number,
): boolean {
  const { minReplica, scaleToZeroTimeout: minutes } = scaling
  if (minReplica > 0 || typeof minutes !== 'number') return false
  return now - Math.max(runningSince, lastRequestAt) >= minutes * 60_000
}
