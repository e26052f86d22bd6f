import { Refusal } from './refusal.ts'
import { createTurns } from './turns.ts'

/** Tasks that read everything. */
export interface OneAtATime {
  /**
   * Runs a task after those before it.
   * @throws {Refusal} `overloaded` when too many wait
   */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>
}

/**
 * Tasks that wait at most. Each reads the whole state or log, which takes seconds and some hundred MB when these are full: a page
 * and a script ask for a few, and nobody waits for the twentieth.
 */
const mostWaiting = 8

/** Creates a queue for tasks, which together take the memory of one. */
export function createOneAtATime(): OneAtATime {
  let unfinished = 0
  const inTurn = createTurns()
  return {
    async run(task) {
      if (unfinished > mostWaiting) {
        throw new Refusal(
          'overloaded',
          `${mostWaiting} reports, exports, snapshots and comparisons wait already: try again when one is done.`,
        )
      }
      unfinished += 1
      try {
        return await inTurn(task)
      } finally {
        unfinished -= 1
      }
    },
  }
}
