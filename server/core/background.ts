/** Receives errors that no caller waits for. */
export type Report = (message: string) => void

/** Default report of errors that no caller waits for. */
export const warn: Report = (message) => process.emitWarning(message)

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Does work that no request waits for. Its errors, synchronous or not, are caught and reported: an uncaught one would
 * end the process, and with it the tests or desktop app it runs in.
 * @param what start of the report: `the retry of delivery 42`
 * @param onFailure cleans up after a failure, so that the work is not repeated for ever
 */
export function inBackground(
  report: Report,
  what: string,
  work: () => unknown,
  onFailure?: (message: string) => void,
): void {
  function fail(error: unknown): void {
    report(`${what} failed: ${messageOf(error)}`)
    try {
      onFailure?.(messageOf(error))
    } catch (again) {
      report(`${what} could not be marked as failed: ${messageOf(again)}`)
    }
  }
  try {
    const result = work()
    if (result instanceof Promise) result.catch(fail)
  } catch (error) {
    fail(error)
  }
}
