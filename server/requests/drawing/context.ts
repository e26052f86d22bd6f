import type { Deps } from '../../events/deps.ts'
import type { ClockMove } from '../flows/clock-moves.ts'
import type { Flow } from '../flows/flows.ts'
import type { RequestRecord } from '../log/request-log.ts'

export type DrawingDeps = Pick<Deps, 'state' | 'settings' | 'clock'>

/** What a sign-in is drawn from, beside the state. */
export interface DrawingInput {
  readonly flow: Flow
  readonly clockMoves: readonly ClockMove[]
  /** Real time since the process began: to tell how long somebody has been waited for. */
  readonly nowMs: number
}

/** Real time since the first request that the log has. */
export function sinceStart({ flow }: Pick<DrawingInput, 'flow'>, ms: number): number {
  const [first] = flow.records
  return roundMs(ms - (first?.receivedMs ?? ms))
}

/** When the answer of a request had gone, in real time. */
export function answeredMs({ receivedMs, durationMs }: RequestRecord): number {
  return receivedMs + durationMs
}

export function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100
}
