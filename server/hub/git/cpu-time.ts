import { readFile } from 'node:fs/promises'
import { performance, sleep } from '../../core/timers.ts'

/** Time between two looks at a program. */
const restMs = 200
/** Linux counts the time of programs in hundredths of a second, on every machine that Node runs on. */
const tickMs = 10

/**
 * Returns the CPU time of a program in ms; where the system does not tell it, the time since it began, of which it
 * cannot have used more.
 */
async function cpuMs(pid: number, startedAt: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The name before may contain spaces; the fields after it begin with the third one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system] = [Number(fields[11]), Number(fields[12])]
    return (user + system) * tickMs
  } catch {
    return performance.now() - startedAt
  }
}

/** Calls back once a program has used more CPU time than it may. Ends with the signal. */
export async function watchCpu(
  pid: number,
  mostMs: () => number,
  { signal, onExceeded }: { signal: AbortSignal; onExceeded: () => void },
): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    if ((await cpuMs(pid, startedAt)) > mostMs()) return onExceeded()
  }
}
