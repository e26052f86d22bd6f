/** Told of trouble that no caller waits for. */
export type Report = (message: string) => void

/** Where trouble is told that nobody asked to hear of. */
export const warn: Report = (message) => process.emitWarning(message)

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Does work that no request waits for. Whatever it throws, now or later, is told and ends with it: an error that
 * nobody catches would end the process, and with it the tests or the desktop it runs in.
 * @param what begins the report: `the retry of delivery 42`
 * @param onFailure puts right what the work was about, so that it is not tried for ever
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
