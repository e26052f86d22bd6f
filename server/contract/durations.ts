/** Units of durations, in milliseconds. */
export const durationUnitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
export type DurationUnit = keyof typeof durationUnitsMs

export const durationUnits = Object.keys(durationUnitsMs).join('|')

/** Pattern of a duration such as `90s`, `8h` or `1h30m`, without `^` and `$`. */
export const durationPattern = String.raw`(\d+(\.\d+)?(${durationUnits}))+`
