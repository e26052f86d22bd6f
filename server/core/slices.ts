import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long one piece of work goes on before the event loop gets its turn. */
const sliceMs = 5

/** @returns lets others have their turn, when it is time: to be called between the steps of long work */
export function takeSlices(): () => Promise<void> | undefined {
  let started = performance.now()
  const pause = async () => {
    await nextTurn()
    started = performance.now()
  }
  return () => (performance.now() - started < sliceMs ? undefined : pause())
}
