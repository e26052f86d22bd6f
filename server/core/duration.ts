import { durationUnitsMs, parseDuration } from '../contract/durations.ts'

/** Parses a duration that a schema has checked, in milliseconds. */
export function requireDuration(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new TypeError(`not a duration: ${text}`)
  return ms
}

/** Rounds up to whole seconds, the unit on the wire. */
export function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000)
}

/** Formats a duration in the shortest exact form: 28800000 → `8h`, 90000 → `90s`. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms !== 0 && ms % durationUnitsMs[unit] === 0) return `${ms / durationUnitsMs[unit]}${unit}`
  }
  return `${ms}ms`
}
