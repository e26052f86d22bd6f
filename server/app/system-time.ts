import type { RealTime } from '../core/real-time.ts'
import { clearTimeout, setImmediate, setTimeout } from '../core/timers.ts'

/** Timers of Node. */
export const realTime: RealTime = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
  soon(act) {
    setImmediate(act)
  },
}
