// Preloaded into a server to break it on purpose: a file of a repo counts as written 300 ms before it is there; whoever
// reads it meanwhile finds it. A test of durability that this server passes tests nothing.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where a file is that is said to be elsewhere. */
const waiting = new Map()

const { renameSync } = fs
fs.renameSync = (from, to) => {
  if (!String(from).includes('unfinished')) {
    renameSync(from, to)
    return
  }
  waiting.set(to, from)
  void sleep(300)
    .then(() => {
      fs.mkdirSync(dirname(String(to)), { recursive: true })
      renameSync(from, to)
      waiting.delete(to)
    })
    .catch((error) => process.emitWarning(error))
}

for (const name of /** @type {const} */ (['existsSync', 'openSync', 'readFileSync'])) {
  const original = /** @type {(...args: any[]) => any} */ (fs[name])
  Object.assign(fs, {
    /** @param {[any, ...any[]]} args */
    [name]: (...[file, ...rest]) => original(waiting.get(file) ?? file, ...rest),
  })
}
syncBuiltinESMExports()
