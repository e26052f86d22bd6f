import { readFileSync } from 'node:fs'
import { errorCode } from './errors.ts'

/** Whether a process with this pid exists and still does something. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, under another user.
    return errorCode(error) === 'EPERM'
  }
  // A killed process that nobody waited for keeps its pid, but holds nothing.
  const state = readStat(pid)?.[0]
  return state !== 'Z' && state !== 'X'
}

/** When the process started, in ticks since the machine did; undefined where there is no `/proc`. */
export function processStart(pid: number): string | undefined {
  return readStat(pid)?.[19]
}

/** The fields of `/proc/<pid>/stat` from the third, the state, on: the second may contain any character (proc(5)). */
function readStat(pid: number): string[] | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined
    throw error
  }
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
