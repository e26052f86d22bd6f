// Inside, a time is a number of milliseconds since 1970: here it becomes a text, and is read from one.

/**
 * A time as every answer tells it: ISO 8601 in UTC, with milliseconds.
 * @param ms milliseconds since 1970
 * @throws {RangeError} beyond what a date can hold
 */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
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
