import type { EndpointState } from '../../../../server/contract/words/endpoint-words.ts'
import type { Tone } from '../../../ui/badge.tsx'

export const stateTones: Readonly<Record<EndpointState, Tone>> = {
  pending: 'accent',
  initializing: 'accent',
  updating: 'accent',
  running: 'ok',
  paused: 'neutral',
  scaledToZero: 'neutral',
}
