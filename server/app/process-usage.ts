import { readFileSync } from 'node:fs'
import type { ProcessUsage } from '../hub/jobs/run-process.ts'

/** Clock ticks per second of `/proc`, a constant of Linux on all its platforms. */
const ticksPerSecond = 100
const pageBytes = 4096

/** Reads the usage of a process; `undefined` after its end, and where there is no `/proc`. */
export function processUsage(pid: number | undefined): ProcessUsage | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  try {
    // The name, in parentheses, may have spaces. See proc(5): fields 14, 15 and 24, counted from 1.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    const [userTicks, systemTicks, pages] = [fields[11], fields[12], fields[21]].map(Number)
    return {
      cpuSeconds: ((userTicks ?? 0) + (systemTicks ?? 0)) / ticksPerSecond,
      memoryBytes: (pages ?? 0) * pageBytes,
    }
  } catch {
    // It has ended.
    return undefined
  }
}
