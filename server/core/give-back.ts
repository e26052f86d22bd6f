import { MessageChannel, type MessagePort } from 'node:worker_threads'

let nowhere: MessagePort | undefined

/** Less is not worth the call. */
const fewBytes = 4096

/**
 * Frees the memory of bytes that nobody will look at again, nor anything of the operating system or of a thread. Garbage is
 * collected when there is much of it: large transfers would leave tens of megabytes of it behind them. They are empty
 * afterwards. What shares its memory with others, or is small, is left to the collector.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < fewBytes || byteLength !== buffer.byteLength) return
  if (!(buffer instanceof ArrayBuffer)) return
  // A port that is closed takes what it is handed from whoever had it, and has no place for it.
  nowhere ??= closedPort()
  nowhere.postMessage(undefined, [buffer])
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel()
  port1.close()
  return port1
}
