import { nextTurn, performance } from '../../core/timers.ts'

/** Time that work runs before it yields to the event loop. */
const sliceMs = 5

/** @returns a function to call between the steps of long work; it yields to other work after a while */
export function takeSlices(): () => Promise<void> | undefined {
  let started = performance.now()
  const pause = async () => {
    await nextTurn()
    started = performance.now()
  }
  return () => (performance.now() - started < sliceMs ? undefined : pause())
}
