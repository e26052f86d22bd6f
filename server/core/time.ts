// Inside, a time is a number of milliseconds since 1970: here it becomes a text, and is read from one.

/** Times that were told of late, each with its text at the same place: the same few are told in answer after answer. */
const toldTimes = new Float64Array(256).fill(Number.NaN)
const toldTexts: string[] = Array.from(toldTimes, () => '')

/**
 * A time as every answer tells it: ISO 8601 in UTC, with milliseconds.
 * @param ms milliseconds since 1970
 * @throws {RangeError} beyond what a date can hold
 */
export function isoTime(ms: number): string {
  // Most of what is kept began at a full second, whose last bits are nearly the same.
  const place = (ms ^ (ms / 1_000)) & (toldTimes.length - 1)
  if (toldTimes[place] === ms) return toldTexts[place] ?? ''
  const text = new Date(ms).toISOString()
  toldTimes[place] = ms
  toldTexts[place] = text
  return text
}

/**
 * Reads a time: ISO 8601, or the date of an HTTP header (RFC 9110 §5.6.7).
 * @returns milliseconds since 1970, or `undefined` when the text is no time
 */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** For libraries that ask for a date. @param ms milliseconds since 1970 */
export function dateOf(ms: number): Date {
  return new Date(ms)
}

/**
 * When the calendar month of a time ends, in UTC.
 * @param ms milliseconds since 1970
 * @returns the first millisecond of the next month
 */
export function endOfMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
