// Preloaded into a server to break it on purpose: what is written to a file counts as written 300 ms before it is.
// A test of durability that this server passes tests nothing.
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const probe = await open(fileURLToPath(import.meta.url))
const prototype = Object.getPrototypeOf(probe)
await probe.close()

const { write } = prototype
/**
 * @this {import('node:fs/promises').FileHandle}
 * @param {Buffer} buffer
 * @param {number} offset
 * @param {number | undefined} length
 * @param {number} position
 */
prototype.write = async function (buffer, offset, length, position) {
  const bytesWritten = length ?? buffer.length - offset
  void sleep(300)
    .then(() => write.call(this, buffer, offset, bytesWritten, position))
    // By then the file may be closed, its turn over.
    .catch((error) => process.emitWarning(error))
  return { bytesWritten, buffer }
}
