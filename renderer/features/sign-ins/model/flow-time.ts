import { formatSpan, formatTook } from '../../../lib/format.ts'

/** Real time since the start of the flow: `+12 ms`, `+1.24 s`, `+2m 5s`. */
export function formatSince(ms: number): string {
  return `+${Math.round(ms) < 1000 ? `${Math.max(0, Math.round(ms))} ms` : formatLength(ms)}`
}

/** Duration: `<1 ms`, `12 ms`, `1.24 s`, `2m 5s`. */
export function formatLength(ms: number): string {
  if (Math.round(ms) < 1000) return formatTook(ms)
  return ms < 60_000 ? `${(ms / 1000).toFixed(2)} s` : formatSpan(ms)
}
