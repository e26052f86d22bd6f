import { readFileSync } from 'node:fs'
import { type SandboxOptions, startSandbox } from '../../server/index.ts'

// Program that runs a sandbox and measures how long its event loop is busy in one piece. It talks to the test by IPC.

/**
 * CPU time of the main thread, in ms: a machine that is busy with other programs makes it no longer. Linux alone has it
 * for one thread; elsewhere it is that of the process.
 */
function cpuMs(): number {
  if (process.platform === 'linux') {
    const [nanoseconds = '0'] = readFileSync(
      `/proc/self/task/${process.pid}/schedstat`,
      'utf8',
    ).split(' ')
    return Number(nanoseconds) / 1e6
  }
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let isMeasuring = false
let longestMs = 0

/** Looks at the clock once in each turn of the event loop. */
function tick(before: number): void {
  const now = cpuMs()
  longestMs = Math.max(longestMs, now - before)
  if (isMeasuring) setImmediate(tick, now)
}

process.on('message', (message: SandboxOptions | 'begin' | 'end') => {
  if (message === 'begin') {
    ;[isMeasuring, longestMs] = [true, 0]
    setImmediate(tick, cpuMs())
    process.send?.({})
    return
  }
  if (message === 'end') {
    isMeasuring = false
    const peakMb = process.resourceUsage().maxRSS / 1024
    process.send?.({ longestMs, peakMb })
    return
  }
  void startSandbox(message).then(({ url }) => process.send?.({ url }))
})
