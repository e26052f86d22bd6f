// Preloaded into a server to break it on purpose: what is written to a file counts as written 300 ms before it is.
// A test of durability that this server passes tests nothing.
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
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

const { writeSync } = fs
fs.writeSync =
  /** @type {typeof fs.writeSync} */
  (
    /**
     * @param {number} file
     * @param {string | NodeJS.ArrayBufferView} buffer
     * @param {any[]} place offset, length and position
     */
    (file, buffer, ...place) => {
      const [offset = 0, length, position] = place
      if (typeof buffer === 'string' || typeof position !== 'number') {
        return writeSync(file, /** @type {any} */ (buffer), ...place)
      }
      const bytesWritten = length ?? buffer.byteLength - offset
      void sleep(300)
        .then(() => writeSync(file, buffer, offset, bytesWritten, position))
        .catch((error) => process.emitWarning(error))
      return bytesWritten
    }
  )
syncBuiltinESMExports()
