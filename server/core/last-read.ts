import type { Duplex } from 'node:stream'
import { clearTimeout, setTimeout } from './timers.ts'

/** Time that a client has to read why its request is refused. */
const lastReadMs = 1_000

/**
 * Returns whether an invalid request on a connection still waits for its refusal. Node reports each packet that follows
 * the first one.
 */
export function isUnanswered({ code }: { code?: string }, socket: Duplex): boolean {
  return code !== 'ECONNRESET' && !socket.destroyed && !socket.writableEnded
}

/**
 * Closes a refused connection once its client had time to read the response. Node's own handler closes it at once, and a
 * client that is still sending then loses the response.
 */
export function closeAfterLastRead(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lastReadMs)
  socket.once('close', () => clearTimeout(timer))
}
