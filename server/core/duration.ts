const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Parses `"8h"`, `"90s"`, `"1h30m"`, `"250ms"`.
 * @returns milliseconds, or `undefined` when the text is no duration
 */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * unitsMs[unit as keyof typeof unitsMs],
    0,
  )
}

/** The shortest exact form: 28800000 → `8h`, 90000 → `90s`. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms !== 0 && ms % unitsMs[unit] === 0) return `${ms / unitsMs[unit]}${unit}`
  }
  return `${ms}ms`
}
