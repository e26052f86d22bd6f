import { MessageChannel, type MessagePort } from 'node:worker_threads'

let nowhere: MessagePort | undefined

/** Smaller buffers are not worth the call. */
const fewBytes = 4096

/**
 * Frees the memory of a buffer that no code, thread or system call uses any more. Otherwise large transfers would leave
 * tens of megabytes until the next garbage collection. The buffer is empty afterwards. Small buffers and ones that
 * share their memory are left to the collector.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < fewBytes || byteLength !== buffer.byteLength) return
  if (!(buffer instanceof ArrayBuffer)) return
  // A closed port detaches the transferred memory and drops it.
  nowhere ??= closedPort()
  nowhere.postMessage(undefined, [buffer])
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel()
  port1.close()
  return port1
}
