// Internally a time is a number of milliseconds since 1970; this file converts it to and from text.

/**
 * Formats a time for responses: ISO 8601 in UTC, with milliseconds.
 * @param ms milliseconds since 1970
 * @throws {RangeError} for an invalid date
 */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * Reads a time: ISO 8601, or the date of an HTTP header (RFC 9110 §5.6.7).
 * @returns milliseconds since 1970, or `undefined` if the text is not a time
 */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/**
 * Converts a time for libraries that need a date.
 * @param ms milliseconds since 1970
 */
export function dateOf(ms: number): Date {
  return new Date(ms)
}

/**
 * Returns the end of the calendar month of a time, in UTC.
 * @param ms milliseconds since 1970
 * @returns the first millisecond of the next month
 */
export function endOfMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
