import type { LiveEntry } from '../../../../server/contract/live.ts'
import { type FactKind, factKinds, kindOfFact } from '../../../../server/contract/fact-kinds.ts'
import { tellsOfFailure } from './describe-entry.ts'

/** Time spans, as named in the URL. */
export const spans = { all: undefined, '5m': 5 * 60_000, '1h': 60 * 60_000 } as const
export type Span = keyof typeof spans
export const spanNames = ['all', '5m', '1h'] as const

export interface TimelineFilter {
  span: Span
  /** Empty = all. */
  kinds: readonly FactKind[]
  failedOnly: boolean
}

/** Parses `tokens,jobs` of the URL; unknown kinds are dropped. */
export function parseKinds(text: string): FactKind[] {
  const words = new Set(text.split(','))
  return factKinds.filter((kind) => words.has(kind))
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

/**
 * Returns the facts in the span and of the kinds, and the failures among them.
 * @param now sandbox time, as facts have it
 */
export function filterFacts(
  entries: readonly LiveEntry[],
  { span, kinds, failedOnly }: TimelineFilter,
  now: number,
): { shown: readonly LiveEntry[]; failed: readonly LiveEntry[] } {
  const lengthMs = spans[span]
  const from = lengthMs === undefined ? -Infinity : now - lengthMs
  const wanted = new Set(kinds)
  const fitting = entries.filter(
    ({ type, time }) =>
      (wanted.size === 0 || wanted.has(kindOfFact(type))) && Date.parse(time) >= from,
  )
  const failed = fitting.filter(tellsOfFailure)
  return { shown: failedOnly ? failed : fitting, failed }
}

/** Tells whether nothing happened since the start or the last reset. */
export function isEmpty(entries: readonly LiveEntry[]): boolean {
  return entries.every(({ type }) => type.startsWith('sandbox.') || type === 'clock.changed')
}
