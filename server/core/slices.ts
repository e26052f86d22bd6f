import { nextTurn, performance } from './timers.ts'

/** Time that a task runs before it yields to the event loop. */
const sliceMs = 5

/** A task that can be suspended after each step. */
export type SteppedWork<T> = Generator<void, T, void>

/** Runs all steps without a pause. */
export function finish<T>(steps: SteppedWork<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Maps a list, item by item. */
export function* mapInSteps<T, R>(
  items: Iterable<T>,
  map: (item: T, index: number) => R,
): SteppedWork<R[]> {
  const results: R[] = []
  for (const item of items) {
    yield
    results.push(map(item, results.length))
  }
  return results
}

/**
 * Runs all steps with pauses for other work.
 * @param pause yields to other work
 */
export async function finishInTurns<T>(
  steps: SteppedWork<T>,
  pause: () => Promise<void> | undefined,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    const turn = pause()
    if (turn !== undefined) await turn
  }
}

/** @returns function to call between the steps of long work; it yields to other work when it is time */
export function takeSlices(): () => Promise<void> | undefined {
  let started = performance.now()
  const pause = async () => {
    await nextTurn()
    started = performance.now()
  }
  return () => (performance.now() - started < sliceMs ? undefined : pause())
}
