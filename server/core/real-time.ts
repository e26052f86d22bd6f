/**
 * Time of the machine, independent of the sandbox clock, for timeouts and for yielding between portions of work.
 * Injected, as everything that decides when code runs.
 */
export interface RealTime {
  /**
   * Calls back once, after `ms` milliseconds. Does not keep the process running.
   * @returns a function that cancels it
   */
  after(ms: number, act: () => void): () => void
  /** Calls back in the next turn of the event loop, after pending events. */
  soon(act: () => void): void
}
