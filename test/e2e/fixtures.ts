// The tests of the sandbox use what it ships for the tests of others, with a sandbox of its own for each.
import { startSandbox } from './package.ts'
import { test as shipped } from './package.ts'

export { expect } from './package.ts'

export const test = shipped.extend({
  sandbox: async ({ sandboxOptions }, provide) => {
    const sandbox = await startSandbox(sandboxOptions)
    await provide(sandbox)
    await sandbox.close()
  },
})
