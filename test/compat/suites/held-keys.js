import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'

const generate = promisify(crypto.generateKeyPair)
let open
const opened = new Promise((resolve) => (open = resolve))

/** RSA keys of this process: none is finished before `release` is called. */
export const keys = { begun: 0, release: () => open() }

crypto.generateKeyPair = Object.assign(() => {}, {
  async [promisify.custom](...args) {
    keys.begun += 1
    const [pair] = await Promise.all([generate(...args), opened])
    return pair
  },
})
syncBuiltinESMExports()
