import { type DurationUnit, durationUnits, durationUnitsMs } from '../contract/durations.ts'

const part = new RegExp(String.raw`(\d+(?:\.\d+)?)(${durationUnits})`, 'gy')

const nanosecondMs = 1e-6

/**
 * Parses `"8h"`, `"90s"`, `"1h30m"`, `"250ms"`.
 * @returns milliseconds, or `undefined` if the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(part)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  const ms = parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * durationUnitsMs[unit as DurationUnit],
    0,
  )
  // Numbers beyond the exact integers are refused, and ones that would print with an exponent count as zero.
  if (!(ms <= Number.MAX_SAFE_INTEGER)) return undefined
  return ms < nanosecondMs ? 0 : ms
}

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
