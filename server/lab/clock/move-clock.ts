import { isoTime } from '../../core/time.ts'
import type {
  ClockPreview,
  ClockPreviewQuery,
  ClockReading as ClockView,
  MoveClockRequest,
} from '../../contract/control-clock.ts'
import { type ClockReading, isClockTime } from '../../core/clock.ts'
import { parseDuration } from '../../contract/durations.ts'
import { Refusal } from '../../core/refusal.ts'
import { setTimeout } from '../../core/timers.ts'
import type { Deps } from '../../hub/deps.ts'
import type { WebhookEngine } from '../../hub/webhooks/engine/engine.ts'
import { describeExpiring } from '../fixes/expiring.ts'

interface ClockDeps extends Pick<Deps, 'clock' | 'state'> {
  readonly engine: Pick<WebhookEngine, 'idle'>
}

export function describeClock({ now, frozen, offsetMs }: ClockReading): ClockView {
  return { now: isoTime(now), frozen, offsetMs }
}

/** Longest real time to wait for the attempts in flight before the next jump. */
const settleMs = 60_000

/** Limit of jumps, for webhooks whose retries never end. */
const mostJumps = 1_000_000

/**
 * Moves the sandbox clock.
 * @throws {Refusal} `invalid` for an invalid duration or time; `conflict` when `untilIdle` does not end
 */
export async function moveClock(
  deps: ClockDeps,
  { advance, set, frozen, real, untilIdle }: MoveClockRequest,
): Promise<ClockView> {
  const { clock } = deps
  if (advance !== undefined) {
    clock.advance(readAdvance(clock, advance))
  } else if (set !== undefined) {
    clock.set(readTime(set))
  } else if (frozen !== undefined) {
    if (frozen) clock.freeze()
    else clock.resume()
  } else if (real === true) {
    clock.reset()
  } else if (untilIdle === true) {
    await runUntilIdle(deps)
  }
  return describeClock(clock.read())
}

/**
 * Lists what a move of the clock would expire, and which retries would become due, without moving it.
 * @throws {Refusal} `invalid` for an invalid duration or time
 */
export function previewClock(
  deps: Pick<Deps, 'clock' | 'state'>,
  { advance, set }: ClockPreviewQuery,
): ClockPreview {
  const { clock } = deps
  const now = clock.now()
  const until =
    set !== undefined
      ? readTime(set)
      : advance !== undefined
        ? now + readAdvance(clock, advance)
        : now
  return { now: isoTime(until), effects: describeExpiring(deps, until) }
}

/** @returns milliseconds */
function readAdvance(clock: Pick<Deps['clock'], 'now'>, text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined)
    throw invalid('advance', `Invalid duration ${text}: use for example 90s, 8h or 1d.`)
  assertInRange(clock.now() + ms, 'advance', text)
  return ms
}

/** @returns milliseconds since 1970 */
function readTime(text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms))
    throw invalid('set', `Invalid time ${text}: use for example 2026-01-31T12:00:00Z.`)
  assertInRange(ms, 'set', text)
  return ms
}

/** Waits for the attempts in flight before each jump, so that the result does not depend on the machine's speed. */
async function runUntilIdle({ clock, engine, state }: ClockDeps): Promise<void> {
  for (let jumps = 0; jumps < mostJumps; jumps += 1) {
    if (!(await engine.idle({ timeoutMs: settleMs }))) {
      throw new Refusal('conflict', 'Deliveries are still in flight after a minute.')
    }
    const due = state.deliveries
      .group('state', 'waiting')
      .reduce((earliest, { nextRetryAt = Infinity }) => Math.min(earliest, nextRetryAt), Infinity)
    if (due === Infinity) return
    if (due > clock.now()) clock.set(due)
    // The timer fires in a later turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  throw new Refusal('conflict', `Retries are still due after ${mostJumps} jumps of the clock.`)
}

function assertInRange(ms: number, path: string, text: string): void {
  if (isClockTime(ms)) return
  throw invalid(path, `${text} is out of range: the clock stays within the years 1970 to 9999.`)
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', message, { issues: [{ path, message }] })
}
