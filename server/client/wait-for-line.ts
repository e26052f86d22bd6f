import type { ControlArguments, ControlLine, ControlStreamKey } from '../contract/control-call.ts'
import type { SandboxServer } from './sandbox-server.ts'
import type { Closing } from './until-closed.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'

export const defaultWaitMs = 10_000

/** Item to wait for in a streaming response. */
export interface Wait<K extends ControlStreamKey, T> {
  key: K
  input: ControlArguments<K>
  timeoutMs: number
  /** @returns the item, if this line has it */
  find: (line: ControlLine<K>) => T | undefined | Promise<T | undefined>
  /** Message after the timeout. */
  late: () => string
}

/**
 * Reads lines, including past ones, until one has the item.
 * @throws {Error} after the timeout, or if the sandbox has stopped
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
  const stopListening = closing.onClose(() => given.abort())
  try {
    for await (const line of server.lines(given.signal, key, ...input)) {
      const found = await find(line)
      if (found !== undefined) return found
    }
    throw new Error('the sandbox was stopped meanwhile')
  } catch (error) {
    throw isLate ? new Error(late(), { cause: error }) : error
  } finally {
    clearTimeout(timer)
    stopListening()
    given.abort()
  }
}
