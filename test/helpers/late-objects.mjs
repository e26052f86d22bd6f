// Preloaded into a server to break it on purpose: a file of a repo counts as written 300 ms before it is there; whoever
// reads it meanwhile finds it, of this program. A test of durability that this server passes tests nothing.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Real paths of moved files. */
const waiting = new Map()
let count = 0

const { renameSync } = fs
fs.renameSync = (from, to) => {
  // Refs as git reads them are no file that anything is answered for.
  const isWaitedFor = String(from).includes('unfinished') && !String(to).endsWith('packed-refs')
  // It fails where the folder is missing: the program makes it then, as git wants it.
  if (!isWaitedFor || !fs.existsSync(dirname(String(to)))) {
    renameSync(from, to)
    return
  }
  // Out of a folder that may be gone by then, under a name that this run does not sweep.
  const [thisRun] = /^.*unfinished[\\/][^-]+/s.exec(String(from)) ?? ['']
  const aside = `${thisRun}-late-${++count}`
  renameSync(from, aside)
  waiting.set(to, aside)
  void sleep(300)
    .then(() => {
      renameSync(aside, to)
      waiting.delete(to)
    })
    .catch((error) => process.emitWarning(error))
}

for (const name of /** @type {const} */ ([
  'existsSync',
  'open',
  'openSync',
  'readFileSync',
  'statSync',
])) {
  const original = /** @type {(...args: any[]) => any} */ (fs[name])
  Object.assign(fs, {
    /** @param {[any, ...any[]]} args */
    [name]: (...[file, ...rest]) => original(waiting.get(file) ?? file, ...rest),
  })
}
syncBuiltinESMExports()
