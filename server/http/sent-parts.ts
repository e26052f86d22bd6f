import type { ServerResponse } from 'node:http'
import { giveBack } from '../core/give-back.ts'
import { isPassing } from '../objects/passing-file.ts'

/**
 * Gives back the memory of each part of a file when the operating system has taken it: what waits to be collected is memory
 * as well. A part that could not be sent is left alone.
 */
export function giveBackSent(answer: ServerResponse): void {
  const write = answer.write.bind(answer) as (...given: unknown[]) => boolean
  answer.write = (...given: unknown[]) => {
    const [part] = given
    if (given.length > 1 || !isPassing(part)) return write(...given)
    return write(part, (error?: Error | null) => {
      if (!error) giveBack(part)
    })
  }
}
