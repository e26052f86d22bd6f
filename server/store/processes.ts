import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { omitUndefined } from '../core/omit-undefined.ts'
import { errorCode } from './errors.ts'

/** A process, distinguishable from a later one with the same pid. */
export interface ProcessIdentity {
  pid: number
  /** Host; a pid only has a meaning there. */
  host: string
  /** Start of the process, if the system reports it, to distinguish it from a later one with the same pid. */
  processStart?: string
}

export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    ...omitUndefined({ processStart: processStart(process.pid) }),
  }
}

/** Checks whether the process is running. One of another machine counts as running. */
export function isAlive({ pid, host, processStart: started }: ProcessIdentity): boolean {
  if (host !== hostname()) return true
  if (!isRunning(pid)) return false
  const start = processStart(pid)
  return !start || !started || start === started
}

/** Parses a stored process; undefined if invalid. */
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

/** Checks whether a process with this pid exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, under another user.
    return errorCode(error) === 'EPERM'
  }
  // A zombie keeps its pid, but holds nothing.
  const state = readStat(pid)?.[0]
  return state !== 'Z' && state !== 'X'
}

/** Returns the start of a process in ticks since boot; undefined without `/proc`. */
export function processStart(pid: number): string | undefined {
  return readStat(pid)?.[19]
}

/**
 * Returns the fields of `/proc/<pid>/stat` from the third, the state; the second may contain any character (proc(5)).
 */
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

/** Checks whether the terminal sends Ctrl-C to this process; true if the system does not report it. */
export function isForeground(): boolean {
  const [, , group, , , ofTerminal] = readStat(process.pid) ?? []
  return group === undefined || group === ofTerminal
}
