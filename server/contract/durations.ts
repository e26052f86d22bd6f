/** Units of durations, in milliseconds. */
export const durationUnitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
export type DurationUnit = keyof typeof durationUnitsMs

export const durationUnits = Object.keys(durationUnitsMs).join('|')

/** Pattern of a duration such as `90s`, `8h` or `1h30m`, without `^` and `$`. */
export const durationPattern = String.raw`(\d+(\.\d+)?(${durationUnits}))+`

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
