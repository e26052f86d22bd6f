import { nextTurn, performance } from './timers.ts'

/** How long one piece of work goes on before the event loop gets its turn. */
const sliceMs = 5

/** Work that can be left and gone on with after each of its steps. */
export type SteppedWork<T> = Generator<void, T, void>

/** Goes through all steps in one run. */
export function finish<T>(steps: SteppedWork<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Goes through all steps, others having their turns. @param pause lets them */
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

/** @returns lets others have their turn, when it is time: to be called between the steps of long work */
export function takeSlices(): () => Promise<void> | undefined {
  let started = performance.now()
  const pause = async () => {
    await nextTurn()
    started = performance.now()
  }
  return () => (performance.now() - started < sliceMs ? undefined : pause())
}
