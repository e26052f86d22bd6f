import { test as base } from '@playwright/test'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../server/index.ts'

interface Fixtures {
  /** Options of the sandbox of a test: `test.use({ sandboxOptions: … })`. */
  sandboxOptions: SandboxOptions
  /** A sandbox of the test's own: in memory, on a free port. */
  sandbox: Sandbox
}

export const test = base.extend<Fixtures>({
  sandboxOptions: [{}, { option: true }],
  sandbox: async ({ sandboxOptions }, use) => {
    const sandbox = await startSandbox(sandboxOptions)
    await use(sandbox)
    await sandbox.close()
  },
})

export { expect } from '@playwright/test'
