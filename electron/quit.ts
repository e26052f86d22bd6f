/** Slightly more than the sandbox itself waits for requests in flight. */
export const graceMs = 6000
/** Time limit for saving after that. */
export const hurryMs = 4000

export type QuitResult = { closed: true } | { closed: false; reason: unknown }

/**
 * Closes within a time limit. A second call of `close` ends it immediately, like a second signal on the command line.
 * @param close stops everything; a second call ends it immediately
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
