/** Requests in a span of time. */
export interface DensitySpan {
  /** Milliseconds since 1970 on the sandbox clock. */
  from: number
  requests: number
  refused: number
}

const secondsOfSpans = [1, 10, 60, 600, 3600, 86_400] as const

/**
 * Counts requests over time in the shortest spans of which there are few enough. Spans without requests are left out,
 * so a clock that was moved by years adds none.
 */
export function countRequests<R extends { at: number }>(
  records: readonly R[],
  mostSpans: number,
  isRefused: (record: R) => boolean,
): { spanMs: number; spans: DensitySpan[] } {
  for (const seconds of secondsOfSpans) {
    const spans = countInSpans(records, seconds * 1000, isRefused)
    if (spans.length <= mostSpans) return { spanMs: seconds * 1000, spans }
  }
  const spanMs = 86_400_000
  return { spanMs, spans: countInSpans(records, spanMs, isRefused).slice(-mostSpans) }
}

function countInSpans<R extends { at: number }>(
  records: readonly R[],
  spanMs: number,
  isRefused: (record: R) => boolean,
): DensitySpan[] {
  const spans = new Map<number, DensitySpan>()
  for (const record of records) {
    const from = Math.floor(record.at / spanMs) * spanMs
    const span = spans.get(from) ?? { from, requests: 0, refused: 0 }
    span.requests += 1
    if (isRefused(record)) span.refused += 1
    spans.set(from, span)
  }
  return [...spans.values()].toSorted((a, b) => a.from - b.from)
}
