import type { Deps } from '../../hub/deps.ts'
import type { FrameCall } from '../flows/frame-call.ts'
import type { ClockMove } from '../flows/clock-moves.ts'
import type { Flow } from '../flows/flows.ts'
import type { RequestRecord } from '../log/request-log.ts'

export type DrawingDeps = Pick<Deps, 'state' | 'settings' | 'clock'>

/** Input of a drawing, beside the state. */
export interface DrawingInput {
  readonly flow: Flow
  readonly clockMoves: readonly ClockMove[]
  /** Requests of framed apps that started or ended a sign-in. */
  readonly frameCalls?: readonly FrameCall[]
  /** Real time since the process started, for the duration of a wait. */
  readonly nowMs: number
}

/** Real time since the first request that the log has. */
export function sinceStart({ flow }: Pick<DrawingInput, 'flow'>, ms: number): number {
  const [first] = flow.records
  return roundMs(ms - (first?.receivedMs ?? ms))
}

/** Real time when the response was sent. */
export function answeredMs({ receivedMs, durationMs }: RequestRecord): number {
  return receivedMs + durationMs
}

export function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100
}
