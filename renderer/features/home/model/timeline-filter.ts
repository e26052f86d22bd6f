import type { FactList } from '../../../../server/contract/control-facts.ts'
import type { LiveEntry } from '../../../../server/contract/live.ts'
import { formatTime } from '../../../lib/format.ts'
import { type FactKind, factKinds, kindOfFact } from '../../../../server/contract/fact-kinds.ts'

/** Time spans up to now, as named in the URL. */
export const spans = { all: undefined, '5m': 5 * 60_000, '1h': 60 * 60_000 } as const
export type Span = keyof typeof spans
export const spanNames = ['all', '5m', '1h'] as const

/** Limits in time, both inclusive; milliseconds since 1970 on the sandbox clock. */
export interface TimeRange {
  from: number
  to: number
}

/** Parses `tokens,jobs` of the URL; unknown kinds are dropped. */
export function parseKinds(text: string): FactKind[] {
  const words = new Set(text.split(','))
  return factKinds.filter((kind) => words.has(kind))
}

/** Parses `from~to` of the URL; `undefined` for any other text. */
export function parseRange(text: string): TimeRange | undefined {
  const [from, to, ...more] = text.split('~').map((time) => Date.parse(time))
  if (from === undefined || to === undefined || more.length > 0) return undefined
  return from <= to ? { from, to } : undefined
}

export function rangeText({ from, to }: TimeRange): string {
  return `${new Date(Math.floor(from)).toISOString()}~${new Date(Math.ceil(to)).toISOString()}`
}

/**
 * Merges facts of the live feed with those read once, newest first, each once.
 * @param older may be from before a reset, whose facts are dropped
 */
export function mergeFacts(
  live: readonly LiveEntry[],
  older: readonly LiveEntry[],
): readonly LiveEntry[] {
  const begin = live.find(({ type }) => type === 'sandbox.reset')?.seq ?? 0
  const known = new Set(live.map(({ seq }) => seq))
  const missing = older.filter(({ seq }) => seq >= begin && !known.has(seq))
  if (missing.length === 0) return live
  return [...live, ...missing].toSorted((one, other) => other.seq - one.seq)
}

/** Names the time from the oldest entry on: not the start, when the sandbox has dropped what came before. */
export function nameOfWholeTime(
  entries: readonly LiveEntry[],
  kept: Partial<FactList['kept']> = {},
): string {
  if (kept.since !== undefined && (kept.dropped ?? 0) > 0) {
    return `Since ${formatTime(Date.parse(kept.since))}, all that is kept`
  }
  const start = entries.findLast(({ type }) => type.startsWith('sandbox.'))
  return start?.type === 'sandbox.reset' ? 'Since the reset' : 'Since the start'
}

/** Returns the limits of a span. */
export function rangeOf(span: Span, now: number): TimeRange {
  const lengthMs = spans[span]
  return { from: lengthMs === undefined ? -Infinity : now - lengthMs, to: Infinity }
}

/** Returns the facts within the range. */
export function factsWithin(
  entries: readonly LiveEntry[],
  { from, to }: TimeRange,
): readonly LiveEntry[] {
  return entries.filter(({ time }) => {
    const at = Date.parse(time)
    return at >= from && at <= to
  })
}

/** @param kinds none: all */
export function factsOfKinds(
  entries: readonly LiveEntry[],
  kinds: readonly FactKind[],
): readonly LiveEntry[] {
  if (kinds.length === 0) return entries
  const wanted = new Set(kinds)
  return entries.filter(({ type }) => wanted.has(kindOfFact(type)))
}
