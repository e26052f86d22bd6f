import type { FlowDetail, FlowStep } from '../../contract/control-flows.ts'
import { type FlowActor, flowActors, type FlowKind } from '../../contract/words/sandbox-words.ts'
import { formatDuration } from '../../core/duration.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import { partiesOfAll, tokenOfResponse } from '../flows/parties.ts'
import { answeredMs, type DrawingDeps, type DrawingInput, sinceStart } from './context.ts'
import { describeWaitingDevice, deviceOf } from './draw-device-flow.ts'
import { drawFrameCalls, frameCallsOf, isSeenInFrame, lostSentence } from './frame-calls.ts'
import { drawMessages } from './flow-messages.ts'
import { describeMissing, drawMissing } from './missing.ts'
import { type Standing, standingOf } from './flow-outcome.ts'
import { drawPolls } from './polls.ts'
import { drawWaiting } from './flow-waiting.ts'

/** Drawing of a sign-in; of app and user the ids alone. */
export type FlowDrawing = Omit<FlowDetail, 'app' | 'user'> & { clientId?: string; userId?: string }

/** Parties from left to right. In a device flow the browser is another machine and comes later. */
function orderOf(kind: FlowKind): readonly FlowActor[] {
  if (kind !== 'device-code') return flowActors
  return [...flowActors.filter((actor) => actor !== 'browser'), 'browser']
}

/**
 * Draws a sign-in from its requests and the state: its parties and its steps in order. Steps keep their ids while the
 * sign-in continues.
 */
export function drawFlow(deps: DrawingDeps, input: DrawingInput): FlowDrawing {
  const { flow } = input
  const { id, kind, records } = flow
  const frameCalls = frameCallsOf(input)
  const standing = withLoss(standingOf(deps, flow), lostSentence(frameCalls))
  const device = deviceOf(deps, flow)
  const steps = [
    ...drawMissing(deps, input),
    ...drawFrameCalls(input, frameCalls),
    ...drawMessages(deps, input).filter((step) => !isSeenInFrame(input, frameCalls, step)),
    ...drawPolls(deps, input, { device, standing }),
    ...drawWaiting(input, standing),
    ...drawClockMoves(input, standing),
  ].toSorted((one, other) => one.sinceMs - other.sinceMs)
  const parties = partiesOfAll(deps, records)
  const waiting = describeWaitingDevice(deps, device)
  return {
    id,
    kind,
    ...parties,
    startedAt: isoTime(records[0]?.at ?? 0),
    lastAt: isoTime(records.at(-1)?.at ?? 0),
    ...standing,
    actors: actorsOf(deps, kind, steps, parties.clientId),
    steps,
    tokenIds: [...new Set(records.flatMap((record) => tokenOfResponse(deps, record)?.id ?? []))],
    missing: describeMissing(deps, input),
    ...omitUndefined({ device: waiting }),
  }
}

/** A sign-in that stopped at the app: the hub has nothing to say about it. */
function withLoss(standing: Standing, lost: string | undefined): Standing {
  if (lost === undefined || standing.outcome !== 'pending') return standing
  return { ...standing, explanation: `${standing.explanation} ${lost}` }
}

function actorsOf(
  { state }: DrawingDeps,
  kind: FlowKind,
  steps: readonly FlowStep[],
  clientId: string | undefined,
): FlowDetail['actors'] {
  const present = new Set<FlowActor>(steps.flatMap(({ from, to }) => [from, to]))
  const app = clientId === undefined ? undefined : (state.apps.get(clientId)?.name ?? clientId)
  const names = { browser: 'Browser', device: 'Device', hub: 'Hub', app: app ?? 'App' }
  return orderOf(kind)
    .filter((actor) => present.has(actor))
    .map((actor) => ({ actor, name: names[actor] }))
}

/** Clock moves between the first and the last request, or until now while the sign-in continues. */
function drawClockMoves(input: DrawingInput, { outcome }: Standing): FlowStep[] {
  const { flow, clockMoves, nowMs } = input
  const [first, last] = [flow.records[0], flow.records.at(-1)]
  if (first === undefined || last === undefined) return []
  const endMs = outcome === 'pending' ? nowMs : answeredMs(last)
  return clockMoves
    .filter(({ happenedMs }) => happenedMs >= first.receivedMs && happenedMs <= endMs)
    .map(({ number, happenedMs, now, movedMs }) => ({
      id: `clock.${number}`,
      kind: 'clock',
      from: 'hub',
      to: 'hub',
      name: `clock ${movedMs > 0 ? 'advanced' : 'set back'} by ${lengthOf(movedMs)}`,
      at: isoTime(now),
      sinceMs: sinceStart(input, happenedMs),
      outcome: 'ok',
      movedMs: Math.round(movedMs),
      explanation:
        'The sandbox clock was moved: codes and tokens expire by it. The times in ID tokens are never later than real time.',
    }))
}

/** Renders the distance of a move as it was requested, without the time that passed meanwhile. */
function lengthOf(movedMs: number): string {
  const ms = Math.abs(movedMs)
  return formatDuration(ms < 1000 ? Math.round(ms) : Math.round(ms / 1000) * 1000)
}
