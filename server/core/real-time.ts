/**
 * The time of the machine, which the clock of the sandbox cannot move: for how long somebody is willing to wait, and
 * for letting other work go on between portions. Handed in, as everything is that decides when something runs.
 */
export interface RealTime {
  /**
   * Calls back once, after `ms` milliseconds. Nothing that waits so keeps the process running.
   * @returns a function that cancels it
   */
  after(ms: number, act: () => void): () => void
  /** Calls back in the next turn of the event loop, when what came in meanwhile had its turn. */
  soon(act: () => void): void
}
