import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'

/** A program that was started with pipes for its output. */
export interface Running {
  child: ChildProcess
  /** Settles when the program has exited. */
  ended: Promise<unknown>
  /** Everything printed so far, for the message of a failure. */
  output: () => string
}

/** Records the output of a program. */
export function watch(child: ChildProcess): Running {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer | string) => (text += chunk.toString()))
  }
  return { child, ended: once(child, 'close'), output: () => text }
}

/** 15 s on an idle machine, and more on a busy one. */
const patienceMs = () => 15_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

/**
 * Waits until a program prints a pattern; earlier output does not count.
 * @throws {Error} with the output so far when the program exits before, or after 15 s (longer on a busy machine)
 */
export function printed(
  { child, ended, output }: Running,
  pattern: RegExp,
  stream: 'stdout' | 'stderr' = 'stderr',
  waitMs = patienceMs(),
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`${why}. Waited for ${pattern} on ${stream}; output so far:\n${output()}`))
    const timer = setTimeout(fail, waitMs, `No match within ${Math.round(waitMs)} ms`)
    let text = ''
    const look = (chunk: Buffer | string) => {
      text += chunk.toString()
      const found = pattern.exec(text)
      if (found === null) return
      clearTimeout(timer)
      child[stream]?.off('data', look)
      resolve(found)
    }
    child[stream]?.on('data', look)
    ended.then(() => {
      clearTimeout(timer)
      fail('The program exited')
    }, reject)
  })
}
