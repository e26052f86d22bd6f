import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { omitUndefined } from '../core/omit-undefined.ts'
import { errorCode } from './errors.ts'

/** A process, so that others tell it from a later one. */
export interface ProcessIdentity {
  pid: number
  /** A pid means nothing elsewhere. */
  host: string
  /** Tells the process from a later one with the same pid, where the system says so. */
  processStart?: string
}

export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    ...omitUndefined({ processStart: processStart(process.pid) }),
  }
}

/** Whether it still runs. A pid of another machine says nothing here, so that one counts as running. */
export function isAlive({ pid, host, processStart: started }: ProcessIdentity): boolean {
  if (host !== hostname()) return true
  if (!isRunning(pid)) return false
  const start = processStart(pid)
  return !start || !started || start === started
}

/** What was written down of a process; undefined where it is nothing of the kind. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const identity = value as Partial<ProcessIdentity> | null
  return Number.isInteger(identity?.pid) && typeof identity?.host === 'string'
    ? (identity as ProcessIdentity)
    : undefined
}

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

/** Whether the terminal tells this process of Ctrl-C; where the system does not say, it is taken for granted. */
export function isForeground(): boolean {
  const [, , group, , , ofTerminal] = readStat(process.pid) ?? []
  return group === undefined || group === ofTerminal
}
