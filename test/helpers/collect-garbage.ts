import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Resolves when all is gone that nobody has. */
export async function collectGarbage(): Promise<void> {
  // What a weak reference was made for, or asked for, stays until the turn of the event loop is over.
  for (let turn = 0; turn < 3; turn++) {
    await sleep(5)
    collect()
  }
}
