/** A little more than a sandbox itself waits for what is in flight. */
export const graceMs = 6000
/** What saving may take once nothing is waited for any more. */
export const hurryMs = 4000

export type QuitResult = { closed: true } | { closed: false; reason: unknown }

/**
 * Closes within bounded time. A second call of `close` hurries it, as a second signal does on the command line.
 * @param close ends everything; calling it again ends it now
 */
export async function closeWithin(close: () => Promise<void>): Promise<QuitResult> {
  const timers: NodeJS.Timeout[] = []
  const after = (ms: number, then: () => void) => void timers.push(setTimeout(then, ms))
  try {
    return await new Promise<QuitResult>((resolve) => {
      const finish = (closing: Promise<void>) =>
        closing.then(
          () => resolve({ closed: true }),
          (reason: unknown) => resolve({ closed: false, reason }),
        )
      void finish(close())
      after(graceMs, () => void finish(close()))
      after(graceMs + hurryMs, () =>
        resolve({ closed: false, reason: new Error('the sandbox did not stop in time') }),
      )
    })
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
