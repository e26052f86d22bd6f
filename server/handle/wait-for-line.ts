import type { ControlArguments, ControlLine, ControlStreamKey } from '../contract/control-call.ts'
import type { SandboxServer } from './sandbox-server.ts'
import type { Closing } from './until-closed.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'

export const defaultWaitMs = 10_000

/** What is waited for, in an answer that goes on. */
export interface Wait<K extends ControlStreamKey, T> {
  key: K
  input: ControlArguments<K>
  timeoutMs: number
  /** @returns what was waited for, if this line has it */
  find: (line: ControlLine<K>) => T | undefined | Promise<T | undefined>
  /** What to say when none came in time. */
  late: () => string
}

/**
 * Reads lines until one has what is waited for, past ones included.
 * @throws {Error} when none came in time, or the sandbox has ended
 */
export async function waitForLine<K extends ControlStreamKey, T>(
  server: Pick<SandboxServer, 'lines'>,
  closing: Closing,
  { key, input, timeoutMs, find, late }: Wait<K, T>,
): Promise<T> {
  const given = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    given.abort()
  }, timeoutMs)
  const stopTelling = closing.tell(() => given.abort())
  try {
    for await (const line of server.lines(given.signal, key, ...input)) {
      const found = await find(line)
      if (found !== undefined) return found
    }
    throw new Error('the sandbox has ended meanwhile')
  } catch (error) {
    throw isLate ? new Error(late(), { cause: error }) : error
  } finally {
    clearTimeout(timer)
    stopTelling()
    given.abort()
  }
}
